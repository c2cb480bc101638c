// doubles.tsv: the games that are the same, as a table.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/duplicates/doubles.h"

namespace scidfs::fs {

// A line for each game that has doubles, group by group:
//
//   group number why white black date result plies longest comments variations nags kept other path
//
// `why` says what the game has in common with the one of its group that is kept, and what only as
// far as it is known; empty for that one. `longest` and `kept` are "yes" or empty, `other` is the
// number of Double::other. Keeps what it is made from. Errors: Unavailable if that wants more
// effort (twenty lines count as the decoding of a game); Cancelled.
absl::StatusOr<std::unique_ptr<Content>> open_double_table(DatabasePtr database,
                                                           std::shared_ptr<const Doubles> doubles,
                                                           const WorkBudget& budget);

}  // namespace scidfs::fs
