// The search for the games of a set that meet some facets.
#pragma once

#include <absl/status/statusor.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/common_players.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/search/facet.h"

namespace scidfs::fs {

// The facets after one `search/`, in any order; no two have the same key, of which a negated one is
// another.
using FacetGroup = std::vector<Facet>;

// The conditions on a set: all groups in the path, the first one first. A game must meet all of
// them.
//
// `opponent=` refers to a subject, and so does `not-opponent=`. That is the `player=` of its own
// group, or its `person=` if it has no `player=`; else that of the nearest group before; else the
// subject of the set. Without a subject it matches either player. `not-player=` and `not-person=`
// name no subject.
using FacetGroups = std::span<const FacetGroup>;

// Returns the same text for all groups that ask the same of a set.
std::string canonical_text(FacetGroups groups);

// Returns whether a facet can mean a player or person. False for a directory name that ends in `~N`
// if the player or person with that number has another name or does not exist. Always true before
// the spelling file is read. Looks at one name.
bool knows_name(const Database& database, const Facet& facet);

// Returns the player from whose side the result is seen, as they are in a part: the one of the last
// group that has `player=` or `person=`, else the subject of the set. If there is such a group,
// looks through the names of the part. Errors: Unavailable if that exceeds the budget; Cancelled.
absl::StatusOr<std::optional<Subject>> subject_of(const PlayersOfPart& players,
                                                  std::optional<Subject> of_set, FacetGroups groups,
                                                  const WorkBudget& budget);

// Returns the games of a part of a set that meet all facets; those of FacetStage::Bases, Parts,
// Firsts and Lines are left to the caller. The facets mean the same players and persons in all
// parts. Errors: Unavailable if that exceeds the budget (a thousand entries of the index in memory,
// or twenty entries of the index file, count as the decoding of a game); Cancelled; DataLoss if a
// file cannot be read, FailedPrecondition if it has changed.
absl::StatusOr<DeltaList> search(const DatabaseGames& set, const PlayersOfPart& players,
                                 const std::optional<Subject>& subject, FacetGroups groups,
                                 const WorkBudget& budget);
// Does the same for a set of one part.
absl::StatusOr<DeltaList> search(const DatabaseGames& set, const std::optional<Subject>& subject,
                                 FacetGroups groups, const WorkBudget& budget);

}  // namespace scidfs::fs
