// The lines of a set of games: which moves follow each other, each position once.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/position.h"
#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/positions/line_bounds.h"
#include "fs/positions/line_positions.h"
#include "fs/positions/move_table.h"
#include "fs/positions/position_sample.h"

namespace scidfs::fs {

// A place for each position, that of the shortest line to it; of several the first, where moves
// with more games come first. A value.
struct LineTree {
  // The most moves if the bounds have no number of games, and if they have.
  static constexpr std::size_t kFewMoves = 5'000;
  static constexpr std::size_t kMostMoves = 20'000;

  struct Place {
    std::uint32_t position = 0;  // its number in LinePositions
    codec::Position board{};     // with the rights that the line gives it
    std::uint32_t before = 0;    // the move that leads there, of all but the first place
    std::uint32_t plies = 0;
    // Its moves, in the order of MoveTable::moves().
    std::size_t first_move = 0;
    std::size_t end_move = 0;
  };
  struct Move {
    LinePositions::Move played;
    std::uint32_t from = 0;  // places
    std::uint32_t to = 0;
  };

  // Returns whether the line goes on after a move; else `to` is the place where it does.
  bool goes_on(std::size_t move) const {
    const std::uint32_t to = moves[move].to;
    return to != 0 && places[to].before == move;
  }

  std::vector<Place> places;  // the first is where all lines begin
  std::vector<Move> moves;
  std::uint32_t games = 0;      // the fewest games of a move
  std::vector<Onward> missing;  // places whose positions have not been counted
};

// Returns the lines of a set from a position on, within bounds. `board` is the position with the
// rights and counters that it has there. A move counts the games of MoveTable::moves() of its
// position; those that the rights do not allow, and null moves, are left out.
//
// Takes the tables that are known. Where others are needed, it guesses from a sample which
// positions the lines have (PositionSample), counts these in one pass over all games of the set
// (count_lines()), and repeats that for positions that turn out to be missing: the guess affects
// only the number of passes. Temporary memory: some hundred bytes for each position and thread, and
// the sample. Errors: Unavailable if there are more games than the budget allows; Unimplemented if
// the lines have more than kMostMoves moves; Cancelled; those of GameFile::read().
absl::StatusOr<LineTree> find_line_tree(const GameSet& parts, const codec::TargetPosition& root,
                                        const codec::Position& board, const LineBounds& bounds,
                                        const WorkBudget& budget, KnownTable known = no_table);

}  // namespace scidfs::fs
