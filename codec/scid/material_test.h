// A test, in a few instructions, of whether the pieces on a board are the target material.
#pragma once

#include <array>
#include <cstdint>

#include "codec/material_target.h"
#include "codec/position.h"
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

// A MaterialTarget prepared for fast tests. A plain value.
class MaterialTest {
 public:
  explicit MaterialTest(const MaterialTarget& target);

  bool is_met(PieceCounts white, PieceCounts black) const {
    return (sides_[0].has(white) && sides_[1].has(black)) ||
           (sides_[0].has(black) && sides_[1].has(white));
  }
  // Returns whether captures and promotions may lead to the target.
  bool may_come(PieceCounts white, PieceCounts black) const {
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

}  // namespace scidfs::codec::scid
