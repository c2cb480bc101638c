// codes.tsv: where the codes that are stored differ from those that positions give.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// A line for each pair of codes that some games of the set have, most games first:
//   stored by_position games opening
// `stored` is empty for games without a code, `by_position` is the code of the opening that they
// belong to (openings_of()), and `opening` its name. Codes of which one begins like the other do
// not differ: B90 says less than B90b, but nothing else.
//
// Unavailable if there are too many games for the effort; Cancelled; the errors of openings_of().
// REQUIRES: the database has opening names.
absl::StatusOr<std::string> code_table(const GameSet& set, const WorkBudget& budget);

}  // namespace scidfs::fs
