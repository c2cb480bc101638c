// The moves that games play in a position.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/positions/move_table.h"
#include "fs/positions/year_table.h"

namespace scidfs::fs {

// Returns the moves that the games of a set play in a position. REQUIRES: all of them come to it.
// Errors: Unavailable if that exceeds the budget; Cancelled; those of GameFile::read().
absl::StatusOr<std::shared_ptr<const MoveTable>> moves_played(const GameSet& parts,
                                                              const codec::TargetPosition& target,
                                                              const WorkBudget& budget);
// Returns the counts of such a table, of one database as if it were the first part. Errors: those
// of moves_played().
absl::StatusOr<std::shared_ptr<const MoveTally>> tally_moves(const DatabaseGames& set,
                                                             const codec::TargetPosition& target,
                                                             const WorkBudget& budget);
// Returns the same by years. Errors: those of moves_played().
absl::StatusOr<YearTally> years_played(const GameSet& parts, const codec::TargetPosition& target,
                                       const WorkBudget& budget);

}  // namespace scidfs::fs
