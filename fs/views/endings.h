// The endings of sets, which versions and mounts keep.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/work_budget.h"
#include "fs/positions/set_endings.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Returns the endings of a set's games. The version keeps those of the database, cached results
// those of other sets. Errors: those of SetEndings::find() and of the set itself.
absl::StatusOr<std::shared_ptr<const SetEndings>> endings_of(const Set& set,
                                                             const WorkBudget& budget);

}  // namespace scidfs::fs
