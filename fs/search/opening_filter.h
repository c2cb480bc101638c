// A filter of games by the names of their openings.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/search/column_filter.h"
#include "fs/search/name_pattern.h"

namespace scidfs::fs {

// Matches games that belong (openings_of()) to a group, or below a group, whose whole name or last
// part matches the pattern. So the pattern can be the beginning of a name or any part of it. Games
// without an opening are unknown; without opening names all games are. If it is negated, matches
// the games that have an opening and do not belong there. Errors: those of openings_of().
absl::StatusOr<std::unique_ptr<ColumnFilter>> filter_opening(const Database& database,
                                                             const NamePattern& pattern,
                                                             bool is_negated,
                                                             const WorkBudget& budget);

}  // namespace scidfs::fs
