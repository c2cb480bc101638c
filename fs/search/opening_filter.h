// Games by the names of their openings.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/search/column_filter.h"
#include "fs/search/name_pattern.h"

namespace scidfs::fs {

// Games that belong (openings_of()) to a group, or below one, whose whole name or last part is as
// the pattern wants: so any beginning of a name will do, and any part of it. Unknown are games
// without an opening: all, where nobody has names. Errors: those of openings_of().
absl::StatusOr<std::unique_ptr<ColumnFilter>> filter_opening(const Database& database,
                                                             const NamePattern& pattern,
                                                             const WorkBudget& budget);

}  // namespace scidfs::fs
