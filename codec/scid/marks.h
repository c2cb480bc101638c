// What the index says of the moves of a game, as far as it tells which positions the game cannot
// come to: which pawns left their home squares in which order, what was left at the end, and the
// stored line with which the game begins.
// Source: FORMAT.md, section 3.2.
//
// The index may say anything. These marks are to be believed only of games whose entry does not
// disagree with its moves (disagreements_of_marks()); all others must be replayed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/position_goal.h"
#include "codec/scid/index.h"
#include "codec/scid/seek.h"

namespace scidfs::codec::scid {

// 16 bytes, so that ten million games are gone through in some ten milliseconds. A plain value.
struct GameMarks {
  std::uint64_t home_pawns = 0;
  std::uint64_t others = 0;

  friend bool operator==(const GameMarks&, const GameMarks&) = default;
};

GameMarks marks_of(const IndexEntry& entry);

// Which games of 64, bit i for the i-th.
struct Judged {
  std::uint64_t maybe = 0;   // must be replayed
  std::uint64_t surely = 0;  // come to it, as their stored line says; none of `maybe`
};

// Tells by their marks which games may come to something. Immutable; any number of threads may use
// it.
class MarksFilter {
 public:
  static MarksFilter for_position(const PositionGoal& goal);
  // Games that begin with these moves, from the standard position.
  static MarksFilter for_line(std::span<const Move> moves);

  // REQUIRES: at most 64 games. Games of a start of their own are among `maybe`.
  Judged judge(std::span<const GameMarks> games) const;
  // Where a game that surely comes to it does. `next` is empty if the stored line does not go on:
  // the game may. REQUIRES: judge() says surely.
  const Reached& by_line(const GameMarks& marks) const;
};

}  // namespace scidfs::codec::scid
