// The openings of all games of a database, found by their positions.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_openings.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// Found once for a version, by whoever wants them first, and kept in the cache folder until the
// next mount (Database::Options::cache_folder). A game belongs to the last position of its main
// line, as far as the walk goes (codec/scid/walk.h), that OpeningNames::find() has. Errors:
// Unavailable if so many games may not be decoded; Cancelled; those of GameFile::read().
//
// Games known to be whole are replayed, others walked, too.
//
// REQUIRES: the database has opening names.
using GameOpeningsPtr = std::shared_ptr<const GameOpenings>;
absl::StatusOr<GameOpeningsPtr> openings_of(const Database& database, const WorkBudget& budget);

// The shown games that belong to a group or below. Errors as above.
absl::StatusOr<GameSet> games_of_group(const DatabasePtr& database, OpeningGroups::Index group,
                                       const WorkBudget& budget);

}  // namespace scidfs::fs
