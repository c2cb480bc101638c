// Games that are nobody's, though the spelling file knows somebody of that name.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Names whose shown games are not given to a person, most such games first, then by name:
//   name games why candidates path
// `why` is `ambiguous` (the beginning of several persons' names), `namesakes` (several are called
// exactly that, and lived at the time), `surname` (nothing more than that) or `lifetime` (the
// candidate was not born or had died). At most ten candidates are named, with `; ` between them.
// Errors: Unavailable if that wants more effort; Cancelled. REQUIRES: database.people() is not
// null.
absl::StatusOr<std::string> unresolved_table(const Database& database, const WorkBudget& budget);

}  // namespace scidfs::fs
