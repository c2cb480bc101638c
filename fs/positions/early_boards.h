// Which boards some game comes to by ply kStoredPlies: all of these, and a few others.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <vector>

#include "codec/scid/board_key.h"
#include "fs/positions/target_boards.h"

namespace scidfs::fs {

// What a board can be told from without its key.
struct BoardMarks {
  HomePawns home = kAllHome;  // pawns that have neither moved nor been taken
  std::uint8_t men = 32;
};

// First boards are added, by any number of threads; then close() is called; then any number of
// threads asks.
class EarlyBoards {
 public:
  // For so many different boards.
  explicit EarlyBoards(std::uint64_t boards)
      : words_(std::bit_ceil(std::max<std::uint64_t>(boards * kBitsOfBoard / kWordBits, 1))),
        marks_(std::size_t{kAllHome} + 1) {}

  void add(codec::scid::BoardKey key, BoardMarks marks) {
    std::atomic_ref(words_[word_of(key)]).fetch_or(bits_of(key), std::memory_order_relaxed);
    const std::atomic_ref men(marks_[marks.home].men);
    const std::uint64_t bit = std::uint64_t{1} << std::min<unsigned>(marks.men, kMostMen);
    if ((men.load(std::memory_order_relaxed) & bit) == 0) {
      men.fetch_or(bit, std::memory_order_relaxed);
    }
  }
  void close() {
    for (OfHome& of_home : marks_) {
      of_home.least = static_cast<std::uint8_t>(std::countr_zero(of_home.men));
    }
    // A board without a pawn at home may come after one that has it there.
    for (std::size_t pawn = 1; pawn <= kAllHome; pawn <<= 1) {
      for (std::size_t home = 0; home < marks_.size(); ++home) {
        if ((home & pawn) == 0) continue;
        marks_[home].least = std::min(marks_[home].least, marks_[home ^ pawn].least);
      }
    }
  }

  bool may_have(codec::scid::BoardKey key, BoardMarks marks) const {
    // The marks lie in a cache, the words do not.
    if ((marks_[marks.home].men >> std::min<unsigned>(marks.men, kMostMen) & 1) == 0) return false;
    const std::uint64_t bits = bits_of(key);
    return (words_[word_of(key)] & bits) == bits;
  }
  // Returns whether any of the boards may come in a game that has come to one with these marks.
  bool may_come(BoardMarks marks) const { return marks.men >= marks_[marks.home].least; }

 private:
  static constexpr std::uint64_t kBitsOfBoard = 12;
  static constexpr unsigned kWordBits = 64;
  static constexpr unsigned kMostMen = 63;

  struct OfHome {
    std::uint64_t men = 0;   // bit n: there is a board with n men
    std::uint8_t least = 0;  // men of such a board, or of one with fewer pawns at home; 64: none
  };

  // The upper bits of the key, which the bits of the word do not depend on.
  std::size_t word_of(codec::scid::BoardKey key) const { return key >> 24 & (words_.size() - 1); }
  static std::uint64_t bits_of(codec::scid::BoardKey key) {
    return std::uint64_t{1} << key % 64 | std::uint64_t{1} << (key >> 6) % 64 |
           std::uint64_t{1} << (key >> 12) % 64;
  }

  std::vector<std::uint64_t> words_;
  std::vector<OfHome> marks_;  // by home pawns
};

}  // namespace scidfs::fs
