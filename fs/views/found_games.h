// Games that are searched for once and kept among the answers of a mount.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/search/search.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Tells an answer of the set whose directory is `base` from all other answers of the version.
std::string answer_key_of(LocalId base, FacetGroups groups);

// The games of a set that meet the facets; all of them without facets. Errors as search(), and
// those of the set itself.
absl::StatusOr<GameSet> found_games(const Set& base, FacetGroups groups, const WorkBudget& budget);

}  // namespace scidfs::fs
