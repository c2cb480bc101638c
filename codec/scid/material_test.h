// Tests, in a few instructions, of whether the pieces on a board are what a search looks for.
//
// Each test is a plain value with these members, where a board is a Position or a ReplayBoard with
// these counts:
//
//   using Target = ...;
//   explicit Test(Target);
//   bool is_met(const MaterialCounts&, const Board&) const;  // changed only by changes of counts
//   bool may_come(const MaterialCounts&) const;  // whether captures and promotions may lead to it
#pragma once

#include <array>
#include <cstdint>

#include "codec/material_target.h"
#include "codec/position.h"
#include "codec/scid/bishops.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// The counts of a side's pieces of each kind except the king:
//
//  bits    field    width
//  39..32  pawns        8
//  31..24  knights      8
//  23..16  bishops      8
//  15..8   rooks        8
//  7..0    queens       8
//
// A byte holds at most 15, so that its highest bit is free to tell which of two is greater.
using PieceCounts = std::uint64_t;

// The counts of a single piece, by PieceType; nothing for kings and None.
inline constexpr std::array<PieceCounts, kPieceTypes + 1> kOnePiece = [] {
  std::array<PieceCounts, kPieceTypes + 1> counts{};
  for (unsigned kind = 0; kind < MaterialTarget::kKinds; ++kind) {
    counts[kind + 1] = PieceCounts{1} << (8 * kind);
  }
  return counts;
}();

inline PieceCounts one_piece(PieceType type) { return kOnePiece[static_cast<std::size_t>(type)]; }

inline constexpr PieceCounts kAllPawns = PieceCounts{0xFF} << 32;

PieceCounts count_pieces(const Position& position, Color color);

// The pieces of both sides in the course of a game. A plain value.
class MaterialCounts {
 public:
  explicit MaterialCounts(const Position& start)
      : counts_{count_pieces(start, Color::White), count_pieces(start, Color::Black)} {}

  PieceCounts operator[](Color color) const { return counts_[static_cast<std::size_t>(color)]; }
  // Counts a move of `us`. Returns whether it changes the counts.
  bool follow(Color us, const Move& move) {
    if (move.captured == PieceType::None && move.promotion == PieceType::None) return false;
    counts_[static_cast<std::size_t>(~us)] -= one_piece(move.captured);
    if (move.promotion != PieceType::None) {
      counts_[static_cast<std::size_t>(us)] +=
          one_piece(move.promotion) - one_piece(PieceType::Pawn);
    }
    return true;
  }

 private:
  std::array<PieceCounts, 2> counts_;
};

// A test for material.
class MaterialTest {
 public:
  using Target = MaterialTarget;
  explicit MaterialTest(const MaterialTarget& target);

  template <class Board>
  bool is_met(const MaterialCounts& counts, const Board&) const {
    const PieceCounts white = counts[Color::White];
    const PieceCounts black = counts[Color::Black];
    return (sides_[0].has(white) && sides_[1].has(black)) ||
           (sides_[0].has(black) && sides_[1].has(white));
  }
  bool may_come(const MaterialCounts& counts) const {
    const PieceCounts white = counts[Color::White];
    const PieceCounts black = counts[Color::Black];
    return (sides_[0].may_have(white) && sides_[1].may_have(black)) ||
           (sides_[0].may_have(black) && sides_[1].may_have(white));
  }

 private:
  static constexpr PieceCounts kOnes = 0x01'01'01'01'01;
  static constexpr PieceCounts kGuards = kOnes << 7;
  static constexpr unsigned kPawns = 32;  // the lowest bit of the pawns

  struct Side {
    PieceCounts least = 0;
    PieceCounts most = 0;

    bool has(PieceCounts counts) const {
      return (((counts | kGuards) - least) & ((most | kGuards) - counts) & kGuards) == kGuards;
    }
    // Returns whether the side may come to have at least `least`: only promotions add pieces.
    bool may_have(PieceCounts counts) const {
      const PieceCounts lack = (least | kGuards) - counts;
      const PieceCounts guards = lack & kGuards;  // where there are no more than the least
      const PieceCounts missing = lack & (guards - (guards >> 7));
      // Missing pawns count too: they never come back.
      const PieceCounts all = (missing * kOnes) >> kPawns & 0xFF;
      return all + (least >> kPawns) <= (counts >> kPawns);
    }
  };

  std::array<Side, 2> sides_;
};

// A test for a balance of material.
class BalanceTest {
 public:
  using Target = BalanceTarget;
  explicit BalanceTest(BalanceTarget target) : target_(target) {}

  template <class Board>
  bool is_met(const MaterialCounts& counts, const Board&) const {
    const int balance = value(counts[Color::White]) - value(counts[Color::Black]);
    return balance >= target_.least && balance <= target_.most;
  }
  static bool may_come(const MaterialCounts&) { return true; }

 private:
  // Returns the value of a side's pieces: the sum of the products in the fifth byte. No byte below
  // it overflows, since a side has at most fifteen pieces.
  static int value(PieceCounts counts) {
    constexpr PieceCounts kValues = 0x09'05'03'03'01;
    constexpr unsigned kSum = 32;
    return static_cast<int>(counts * kValues >> kSum & 0xFF);
  }

  BalanceTarget target_;
};

// A test for one bishop of each side.
class BishopsTest {
 public:
  using Target = BishopsTarget;
  explicit BishopsTest(BishopsTarget target) : are_opposite_(target == BishopsTarget::Opposite) {}

  template <class Board>
  bool is_met(const MaterialCounts& counts, const Board& board) const {
    constexpr PieceCounts kAllBishops = PieceCounts{0xFF} << 16;
    constexpr PieceCounts kOneBishop = PieceCounts{1} << 16;
    return (counts[Color::White] & kAllBishops) == kOneBishop &&
           (counts[Color::Black] & kAllBishops) == kOneBishop &&
           has_opposite_bishops(board) == are_opposite_;
  }
  static bool may_come(const MaterialCounts&) { return true; }

 private:
  bool are_opposite_;
};

}  // namespace scidfs::codec::scid
