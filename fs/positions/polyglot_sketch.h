// Rough counts of the moves of a Polyglot book, in little memory.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "fs/positions/polyglot_counts.h"

namespace scidfs::fs {

// How often moves are played, never too few up to kMost. Moves that share a counter have the games
// of all of them. Two bits for each counter.
class PolyglotSketch {
 public:
  static constexpr std::uint32_t kMost = 3;

  // `counters`: how many, rounded to the next power of two.
  explicit PolyglotSketch(std::size_t counters)
      : bytes_(std::bit_ceil(std::max<std::size_t>(1, counters / kOfByte))) {}

  void add(const PolyglotPly& ply) {
    if (games(ply) == kMost) return;
    const std::size_t counter = counter_of(ply);
    bytes_[counter / kOfByte] =
        static_cast<std::uint8_t>(bytes_[counter / kOfByte] + (1U << shift(counter)));
  }
  // Returns in how many games the move of a ply is played, or more; at most kMost.
  std::uint32_t games(const PolyglotPly& ply) const {
    const std::size_t counter = counter_of(ply);
    return bytes_[counter / kOfByte] >> shift(counter) & kMost;
  }

  std::size_t memory() const { return bytes_.size(); }

 private:
  static constexpr std::size_t kOfByte = 4;
  static constexpr unsigned shift(std::size_t counter) { return 2 * (counter % kOfByte); }

  // Keys are random numbers. Moves of one position have different counters.
  std::size_t counter_of(const PolyglotPly& ply) const {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    return (ply.key ^ ply.move * kOdd) & (kOfByte * bytes_.size() - 1);
  }

  std::vector<std::uint8_t> bytes_;  // a power of two
};

}  // namespace scidfs::fs
