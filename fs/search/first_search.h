// The search for the first games of a set in some order, and for the last ones.
#pragma once

#include <absl/status/statusor.h>

#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/search/first_games.h"

namespace scidfs::fs {

// Returns the games that are wanted of a set, which is in the order of its databases, by part; each
// part keeps the order of its database. Reads columns in memory, for the plies the index file.
// Uses all processors if the budget is unlimited. Errors: Unavailable if that exceeds the budget;
// Cancelled; those of IndexFile::read_block().
absl::StatusOr<std::vector<DatabaseGames>> find_first(const GameSet& set, const FirstGames& wanted,
                                                      const WorkBudget& budget);

}  // namespace scidfs::fs
