// Whether the pieces on a board are those that somebody looks for, in a few instructions.
#pragma once

#include <array>
#include <cstdint>

#include "codec/material_target.h"
#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// How many pieces of each kind a side has but for the king: a byte for each, the queens lowest. A
// byte holds 15 at most, so that its highest bit is free to tell which of two is greater.
using PieceCounts = std::uint64_t;

// What a piece adds to the counts, by PieceType; nothing for kings and None.
inline constexpr std::array<PieceCounts, kPieceTypes + 1> kOnePiece = [] {
  std::array<PieceCounts, kPieceTypes + 1> counts{};
  for (unsigned kind = 0; kind < MaterialTarget::kKinds; ++kind) {
    counts[kind + 1] = PieceCounts{1} << (8 * kind);
  }
  return counts;
}();

inline PieceCounts one_piece(PieceType type) { return kOnePiece[static_cast<std::size_t>(type)]; }

PieceCounts count_pieces(const Position& position, Color color);

// A MaterialTarget made ready. A value.
class MaterialTest {
 public:
  explicit MaterialTest(const MaterialTarget& target);

  bool is_met(PieceCounts white, PieceCounts black) const {
    return (sides_[0].has(white) && sides_[1].has(black)) ||
           (sides_[0].has(black) && sides_[1].has(white));
  }
  // Whether captures and promotions may lead there.
  bool may_come(PieceCounts white, PieceCounts black) const {
    return (sides_[0].may_have(white) && sides_[1].may_have(black)) ||
           (sides_[0].may_have(black) && sides_[1].may_have(white));
  }

 private:
  static constexpr PieceCounts kOnes = 0x01'01'01'01'01;
  static constexpr PieceCounts kGuards = kOnes << 7;
  static constexpr unsigned kPawns = 32;  // where they begin

  struct Side {
    PieceCounts least = 0;
    PieceCounts most = 0;

    bool has(PieceCounts counts) const {
      return (((counts | kGuards) - least) & ((most | kGuards) - counts) & kGuards) == kGuards;
    }
    // There are never more pieces than before, but for pawns that become others.
    bool may_have(PieceCounts counts) const {
      const PieceCounts lack = (least | kGuards) - counts;
      const PieceCounts guards = lack & kGuards;  // where there is no more than the least
      const PieceCounts missing = lack & (guards - (guards >> 7));
      // Pawns that are missing are counted, too: they never come back.
      const PieceCounts all = (missing * kOnes) >> kPawns & 0xFF;
      return all + (least >> kPawns) <= (counts >> kPawns);
    }
  };

  std::array<Side, 2> sides_;
};

}  // namespace scidfs::codec::scid
