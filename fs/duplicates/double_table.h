// doubles.tsv: a table of the games that are the same.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <string>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/duplicates/doubles.h"

namespace scidfs::fs {

// Opens a table with a line for each game that has doubles, group by group:
//
//   group number why white black date result plies longest comments variations nags kept other path
//
// `number` is that in its database. `why` lists what the game has in common with the kept game of
// its group, and says where they agree only as far as it is known; empty for the kept game.
// `longest` and `kept` are "yes" or empty, `other` is Double::other. `parts`: the shown games of
// each database; `other`, `path` and a column more name the database if there are several
// (fs/tables/game_names.h). The content keeps the doubles. Errors: Unavailable if that exceeds the
// budget (twenty lines count as the decoding of a game); Cancelled.
absl::StatusOr<std::unique_ptr<Content>> open_double_table(std::shared_ptr<const Doubles> doubles,
                                                           GameSet parts, const WorkBudget& budget);

}  // namespace scidfs::fs
