// codes.tsv: the games whose stored ECO code differs from the code of their position.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// Returns a line for each pair of codes that games of the set have, most games first:
//   stored by_position games opening
// `stored` is `_unknown` for games without a code, `by_position` is the code of the opening that
// they belong to (openings_of()), and `opening` is its name. Two codes do not differ if one begins
// with the other: B90 is less exact than B90b, but does not contradict it.
//
// Errors: Unavailable if there are too many games for the budget; Cancelled; those of
// openings_of(). REQUIRES: the database has opening names.
absl::StatusOr<std::string> code_table(const GameSet& parts, const WorkBudget& budget);

}  // namespace scidfs::fs
