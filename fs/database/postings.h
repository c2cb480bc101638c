// Posting lists: the games of each key, all lists of one kind, packed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fs/base/parallel.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// Lists of games by a key 0 .. keys-1: differences between adjacent numbers, usually one to three
// bytes a game. A game in a list may have a tag, a small number (game_list.h has the bits).
// Their bytes are its own, or those of an index file of the cache folder (stored_index.h).
// Immutable.
class Postings {
 public:
  Postings() = default;
  // Makes lists of the games 0 .. games-1. `for_each(first, last, put)` must call put(key, game)
  // or, if there are tag bits, put(key, game, tag) for those from `first` to `last`-1 that are in a
  // list, with games (and tags of a game) ascending. Any thread calls `for_each` twice for each of
  // several chunks, which begin at multiples of kChunk; it must put the same both times. Keys of
  // `keys` and above mean no list.
  template <class ForEach>
  Postings(std::uint32_t keys, unsigned tag_bits, GameIndex games, const ForEach& for_each);
  static constexpr GameIndex kChunk = 1U << 12;

  // Makes lists of bytes as ends() and deltas() return them, which outlive this; nothing if they do
  // not fit together. Looks at no list: one of any bytes has ascending games below `games`.
  static std::optional<Postings> of_stored(std::span<const std::uint32_t> ends,
                                           std::span<const std::uint8_t> deltas, unsigned tag_bits,
                                           GameIndex games);
  std::span<const std::uint32_t> ends() const { return ends_; }
  std::span<const std::uint8_t> deltas() const {
    return {deltas_, ends_.empty() ? 0 : ends_.back()};
  }

  std::uint32_t keys() const { return static_cast<std::uint32_t>(ends_.size()); }
  // Returns the games of a key, with one tag or any; none for a key out of range.
  GameList games(std::uint32_t key, std::optional<unsigned> tag = std::nullopt) const {
    if (key >= keys()) return {};
    const std::size_t begin = key == 0 ? 0 : ends_[key - 1];
    return GameList::of({deltas_ + begin, ends_[key] - begin}, tag_bits_, tag, most_);
  }
  // Returns the bytes of memory that this takes, without those of a file.
  std::size_t memory() const {
    return own_deltas_ == nullptr ? 0 : ends_.size_bytes() + deltas().size();
  }

 private:
  // The data of a chunk for a key.
  struct Share {
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t first = kNone;  // number, with its tag
    std::uint32_t last = 0;
    std::uint32_t bytes = 0;  // without the first number; later where the next one is written
  };
  using Shares = std::vector<Share>;
  // The `put` functions: the first pass finds the lengths, the second writes.
  struct Counting;
  struct Writing;
  // Lays out the parts of `deltas_`, by key and then by chunk.
  void lay_out(std::span<Shares> chunks);

  std::vector<std::uint32_t> own_ends_;
  std::unique_ptr<std::uint8_t[]> own_deltas_;
  std::span<const std::uint32_t> ends_;  // of each key's part of deltas_
  const std::uint8_t* deltas_ = nullptr;
  unsigned tag_bits_ = 0;
  std::uint32_t most_ = 0;  // number of a list
};

struct Postings::Counting {
  std::span<Share> shares;
  unsigned tag_bits = 0;

  void operator()(std::uint32_t key, GameIndex game, std::uint32_t tag = 0) const {
    if (key >= shares.size()) return;
    const std::uint32_t number = game << tag_bits | tag;
    Share& share = shares[key];
    if (share.first == Share::kNone) {
      share.first = number;
    } else {
      share.bytes += delta_bytes(number - share.last);
    }
    share.last = number;
  }
};

struct Postings::Writing {
  std::span<Share> shares;
  unsigned tag_bits = 0;
  std::uint8_t* deltas = nullptr;

  void operator()(std::uint32_t key, GameIndex game, std::uint32_t tag = 0) const {
    if (key >= shares.size()) return;
    const std::uint32_t number = game << tag_bits | tag;
    Share& share = shares[key];
    std::uint8_t* const begin = deltas + share.bytes;
    share.bytes += static_cast<std::uint32_t>(write_delta(number - share.last, begin) - begin);
    share.last = number;
  }
};

template <class ForEach>
Postings::Postings(std::uint32_t keys, unsigned tag_bits, GameIndex games, const ForEach& for_each)
    : own_ends_(keys),
      ends_(own_ends_),
      tag_bits_(tag_bits),
      most_(GameList::most_number(games, tag_bits)) {
  // Each chunk takes room for all keys while a thread works on it.
  constexpr std::size_t kWorthThread = 1U << 17;
  const unsigned threads = thread_count(0, games / std::max<std::size_t>(kWorthThread, keys));
  const GameIndex length = (games / threads / kChunk + 1) * kChunk;
  std::vector<Shares> chunks(threads);
  const auto put_all = [&](std::size_t chunk, const auto& put) {
    const std::size_t first = std::min<std::size_t>(chunk * length, games);
    for_each(static_cast<GameIndex>(first),
             static_cast<GameIndex>(std::min<std::size_t>(first + length, games)), put);
  };
  run_parallel(threads, threads, [&](std::size_t chunk) {
    chunks[chunk].resize(keys);
    put_all(chunk, Counting{.shares = chunks[chunk], .tag_bits = tag_bits});
  });
  lay_out(chunks);
  run_parallel(threads, threads, [&](std::size_t chunk) {
    put_all(chunk,
            Writing{.shares = chunks[chunk], .tag_bits = tag_bits, .deltas = own_deltas_.get()});
  });
}

}  // namespace scidfs::fs
