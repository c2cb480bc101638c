// Games that are searched for once and kept among the answers of a mount.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/content/directory.h"
#include "fs/content/effort.h"
#include "fs/database/game_set.h"
#include "fs/sets/search.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Tells what is asked of the set whose directory is `base` from all other questions.
std::string answer_key_of(Place base, FacetGroups groups);

// The games of that set that meet the facets; all of them without facets. Errors as search(), and
// those of the set itself.
absl::StatusOr<GameSet> found_games(const Version& version, Place base, FacetGroups groups,
                                    const Effort& effort);

}  // namespace scidfs::fs
