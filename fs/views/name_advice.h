// What a summary of no games says of names that were asked for.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/content/work_budget.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Returns a line for each condition of a search on a name that no name of the version meets, with
// the nearest names, as values of the condition; and for each on what is known of persons that no
// person of the version meets. Empty for a set that is no answer to a search.
// Errors: Unavailable if that exceeds the budget; Cancelled.
absl::StatusOr<std::string> name_advice(const Set& set, const WorkBudget& budget);

}  // namespace scidfs::fs
