// Games that a search finds once and keeps among the cached results of a mount.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/search/search.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Returns a key that distinguishes a result for the set with directory `base` from all other
// results of the version.
std::string answer_key_of(LocalId base, FacetGroups groups);

// Returns whether the games of a database that meet a group depend on the other databases: `part=`
// and `first=` cut all of them, a person has the spellings of all, and `within=` names a repertoire
// of the folder.
bool depends_on_others(const FacetGroup& group);

// Returns the player from whose side the results of the set with these facets are seen, as they are
// in each database; nothing if there is none. Errors: those of subject_of() and of the set itself.
absl::StatusOr<std::vector<Subject>> subjects_of(const Set& base, FacetGroups groups,
                                                 const WorkBudget& budget);

// Returns the games of a set that meet the facets; without facets, all games. Errors: those of
// search() and of the set itself.
absl::StatusOr<GameSet> found_games(const Set& base, FacetGroups groups, const WorkBudget& budget);

}  // namespace scidfs::fs
