// Which games belong to which key: all lists of one kind in two arrays.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <span>
#include <vector>

#include "fs/game_list.h"

namespace scidfs::fs {

// Lists of games by a key 0 .. keys-1. Four bytes a game and a key. Immutable.
class Postings {
 public:
  // A key for a game that belongs to no list.
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Postings() = default;
  // Puts each game 0 .. games-1 into the list of `key_of(game)`. Calls it twice for each game; keys
  // of `keys` and above mean no list.
  Postings(GameIndex games, std::uint32_t keys, absl::FunctionRef<std::uint32_t(GameIndex)> key_of);

  std::uint32_t keys() const { return static_cast<std::uint32_t>(ends_.size()); }
  // The games of a key, ascending; none for a key out of range.
  std::span<const GameIndex> games(std::uint32_t key) const {
    if (key >= keys()) return {};
    const std::size_t begin = key == 0 ? 0 : ends_[key - 1];
    return std::span(games_).subspan(begin, ends_[key] - begin);
  }

 private:
  std::vector<std::uint32_t> ends_;  // of each key's part of games_
  std::vector<GameIndex> games_;
};

}  // namespace scidfs::fs
