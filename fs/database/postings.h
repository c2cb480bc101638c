// Which games belong to which key: all lists of one kind, packed.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fs/database/game_list.h"

namespace scidfs::fs {

// Lists of games by a key 0 .. keys-1: differences of neighbours, one to three bytes a game as a
// rule. A game may stand in a list with a tag, a small number. Immutable.
class Postings {
 public:
  Postings() = default;
  // `for_each` is called twice, with a function put(key, game) or, if there are tag bits, put(key,
  // game, tag); it must put the same in both, with games (and tags of a game) ascending. Keys of
  // `keys` and above mean no list.
  template <class ForEach>
  Postings(std::uint32_t keys, unsigned tag_bits, const ForEach& for_each);

  std::uint32_t keys() const { return static_cast<std::uint32_t>(ends_.size()); }
  // The games of a key, with one tag or any; none for a key out of range.
  GameList games(std::uint32_t key, std::optional<unsigned> tag = std::nullopt) const {
    if (key >= keys()) return {};
    const std::size_t begin = key == 0 ? 0 : ends_[key - 1];
    return GameList::of(std::span(deltas_).subspan(begin, ends_[key] - begin), tag_bits_, tag);
  }
  // Bytes of memory that they cost.
  std::size_t memory() const { return ends_.capacity() * sizeof(ends_[0]) + deltas_.capacity(); }

 private:
  std::vector<std::uint32_t> ends_;  // of each key's part of deltas_
  std::vector<std::uint8_t> deltas_;
  unsigned tag_bits_ = 0;
};

template <class ForEach>
Postings::Postings(std::uint32_t keys, unsigned tag_bits, const ForEach& for_each)
    : ends_(keys), tag_bits_(tag_bits) {
  std::vector<std::uint32_t> last(keys);
  for_each([&](std::uint32_t key, GameIndex game, std::uint32_t tag = 0) {
    if (key >= keys) return;
    const std::uint32_t number = game << tag_bits | tag;
    constexpr unsigned kBits = 7;
    ends_[key] +=
        (static_cast<unsigned>(std::bit_width((number - last[key]) | 1U)) + kBits - 1) / kBits;
    last[key] = number;
  });
  // From here on `ends_` says where each part begins; filling a part moves that to its end.
  std::uint32_t total = 0;
  for (std::uint32_t& end : ends_) {
    const std::uint32_t length = end;
    end = total;
    total += length;
  }
  deltas_.resize(total);
  last.assign(keys, 0);
  for_each([&](std::uint32_t key, GameIndex game, std::uint32_t tag = 0) {
    if (key >= keys) return;
    const std::uint32_t number = game << tag_bits | tag;
    std::uint8_t* const begin = deltas_.data() + ends_[key];
    ends_[key] += static_cast<std::uint32_t>(write_delta(number - last[key], begin) - begin);
    last[key] = number;
  });
}

}  // namespace scidfs::fs
