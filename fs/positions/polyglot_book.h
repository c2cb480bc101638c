// book.bin of a set: the Polyglot opening book that `polyglot make-book` makes of its games.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// The bounds of a book: how many plies of each game count, and how often a move must be played.
// Those of make-book if it is not told any.
struct PolyglotBounds {
  std::uint32_t plies = 1024;
  std::uint32_t games = 3;
};

// Returns the bytes of the book: the same as `polyglot make-book` makes of all games of the set in
// their order, with -max-ply and -min-game. It counts each time that a game comes to a position.
//
// Differs from it where it cannot read the games, or takes them for others: a game from a FEN
// counts from there; null moves, and moves that leave the king in check, do not count.
//
// Goes through the games twice if the moves that are played often enough have room in `most_bytes`
// of memory; else once more for each range of keys whose moves have. A range is at least a 256th of
// all. A rough count takes as much memory again. Errors: Unavailable if there are more games than
// the budget allows; Cancelled; those of GameFile::read().
absl::StatusOr<std::string> polyglot_book(const GameSet& parts, const PolyglotBounds& bounds,
                                          const WorkBudget& budget,
                                          std::size_t most_bytes = std::size_t{256} << 20);

}  // namespace scidfs::fs
