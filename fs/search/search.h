// Which games of a set meet some facets.
#pragma once

#include <absl/status/statusor.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/search/facet.h"

namespace scidfs::fs {

// The facets after one `search/`: no key twice, in any order.
using FacetGroup = std::vector<Facet>;

// What is asked of a set: all groups on the way, the first one first; a game must meet all of them.
//
// `opponent=` is about the subject: the `player=` of its own group, or the `person=` if there is
// none, or else of the nearest group before, or else the subject of the set. Where there is none,
// it means either player.
using FacetGroups = std::span<const FacetGroup>;

// The same text for all groups that ask the same of a set.
std::string canonical_text(FacetGroups groups);

// Whether a facet can mean a player or person: false for the name of a directory that ends in `~N`
// where the player or person with that number has another name, or there is none. True as long as
// the spelling file is not read. Looks at one name.
bool knows_name(const Database& database, const Facet& facet);

// The player from whose side the answer is looked at: the one of the last group that has `player=`
// or `person=`, or that of the set. The names of the database are looked through, if there is one.
// Errors: Unavailable if that wants more effort; Cancelled.
absl::StatusOr<std::optional<Subject>> subject_of(const Database& database,
                                                  std::optional<Subject> of_set, FacetGroups groups,
                                                  const WorkBudget& budget);

// The games of the set that meet all facets. Errors: Unavailable if that wants more effort (the
// look at a thousand entries of the index in memory counts as the decoding of a game, that at
// twenty in the file too); Cancelled; DataLoss and FailedPrecondition if a file cannot be read or
// is not what it was.
absl::StatusOr<DeltaList> search(const GameSet& set, const std::optional<Subject>& subject,
                                 FacetGroups groups, const WorkBudget& budget);

}  // namespace scidfs::fs
