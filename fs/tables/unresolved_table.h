// Games that belong to no person although the spelling file has a person of that name.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/common_players.h"

namespace scidfs::fs {

// Returns names of some databases with shown games that belong to no person, most such games first,
// then by name:
//   name games why candidates path
// `why` is `ambiguous` (the beginning of several persons' names), `namesakes` (several persons have
// exactly that name, and lived at the time), `surname` (no more than a surname), or, for most of
// the games, `lifetime` (the candidate was not yet born, or had died), `age` (was a small child)
// or `rating` (never was so strong). Names at most ten candidates, separated by `; `. Errors:
// Unavailable if that exceeds the budget; Cancelled. REQUIRES: each database has its people.
absl::StatusOr<std::string> unresolved_table(const CommonPlayers& players,
                                             const WorkBudget& budget);

}  // namespace scidfs::fs
