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
// `why` is `surname` (no more than a surname) or, for most of the games, `lifetime` (the candidate
// was not yet born, or had died), `age` (was a small child), `rating` (never was so strong),
// `ambiguous: 2 fit` (of several candidates, two have such a rating then), `ambiguous: 1 fit, 2
// unknown` (and of two the rating then is not known), `no rating` (neither in the game, nor does
// anything else decide), `event` (other games of the name in the event are another's). With
// Evidence::Lifetime it is `ambiguous` or `namesakes` where names have several candidates. Names at
// most ten candidates, separated by `; `: those whom some games fit, if there are any. Errors:
// Unavailable if that exceeds the budget; Cancelled. REQUIRES: each database has its people.
absl::StatusOr<std::string> unresolved_table(const CommonPlayers& players,
                                             const WorkBudget& budget);

}  // namespace scidfs::fs
