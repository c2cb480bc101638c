// evals.tsv: the evaluations and clocks at the moves of a set's games.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

inline constexpr std::size_t kMostGamesOfEvals = 10'000;

// Returns the table, a line for each position of the main lines whose comments have an evaluation
// or a clock (codec/scid/move_notes.h), in the order of the set:
//   number ply move eval clock
// Of several databases, a column `database` follows (fs/tables/game_names.h). Ply 0, without a
// move, is the position in which the game begins. `eval` is in pawns with two decimals as White
// sees it, 100 or -100 for a mate; `clock` in seconds.
//
// Errors: Unimplemented if the set has more than kMostGamesOfEvals games; Unavailable if that is
// more than the budget allows; Cancelled; those of GameFile::read().
absl::StatusOr<std::string> eval_table(const GameSet& parts, const WorkBudget& budget);

}  // namespace scidfs::fs
