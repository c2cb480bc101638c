// Whether a game comes to something: to a position, to some material, along a line.
// Source: FORMAT.md, sections 5 and 6.
//
// What counts is the main line, as far as the walk goes; variations are not searched. A record is
// replayed first (replay.h), which is cheap; what that finds is confirmed by the walk.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/material_target.h"
#include "codec/scid/material_test.h"
#include "codec/scid/record.h"
#include "codec/scid/replay.h"
#include "codec/scid/walk.h"
#include "codec/target_position.h"

namespace scidfs::codec::scid {

// Where a game comes to what is looked for, the first time that it does.
struct Reached {
  std::uint32_t ply = 0;     // moves before that; 0: the game begins there
  std::optional<Move> next;  // the move that follows, if any does
};

// Looks for one position in many records. Holds working room between games: one for each thread.
class PositionSeeker {
 public:
  // `rule` is that of the records' format.
  explicit PositionSeeker(const TargetPosition& target, CastlingRule rule = CastlingRule::Standard);

  // Nothing if the game does not come to the position, or its record does not say where it begins.
  std::optional<Reached> seek(Bytes record);

  // What a game must have to come to the goal, by colour.
  struct Needs {
    std::array<Bitboard, 2> occupied{};
    std::array<Bitboard, 2> homes{};  // squares whose pawns have not moved
    std::array<std::size_t, 2> men{};
  };

 private:
  const TargetPosition target_;
  Needs needs_;
  const CastlingRule rule_;
  Replay replay_;
  Walker walker_;
  std::vector<ExtraTag> tags_;
};

// Looks for games that begin with some moves, exactly these in this order, from the standard
// position. A FEN may say that it is that. As the others, one for each thread.
class LineSeeker {
 public:
  // REQUIRES: there is a move at least, and each is possible after those before it.
  explicit LineSeeker(std::span<const Move> moves, CastlingRule rule = CastlingRule::Standard);

  bool seek(Bytes record);

 private:
  const std::vector<Move> moves_;
  const CastlingRule rule_;
  const Position standard_;
  Replay replay_;
  Walker walker_;
  std::vector<ExtraTag> tags_;
};

// Looks for games in which the pieces on the board are those that are wanted for two plies at
// least: in two positions of the main line one after the other.
class MaterialSeeker {
 public:
  explicit MaterialSeeker(const MaterialTarget& target, CastlingRule rule = CastlingRule::Standard);

  bool seek(Bytes record);

 private:
  const MaterialTest test_;
  const CastlingRule rule_;
  const Position standard_;
  Replay replay_;
  Walker walker_;
  std::vector<ExtraTag> tags_;
};

}  // namespace scidfs::codec::scid
