// novelties.tsv of a set.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Opens the table of a set, which is kept as a cached result. A set with too many games is added to
// the rejected names. Errors: see Snapshot::open().
absl::StatusOr<std::unique_ptr<Content>> open_novelties(const Set& set, const WorkBudget& budget);

}  // namespace scidfs::fs
