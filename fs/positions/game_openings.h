// The openings of all games of a database, by their positions.
#pragma once

#include <absl/status/statusor.h>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_openings.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// Returns the openings of all games, which the database keeps. The first caller finds them for a
// version, and the cache folder keeps them until the next mount (DatabaseOptions::cache_folder). A
// game belongs to the last position of its main line that OpeningNames::find() has, as far as the
// walk goes (codec/scid/walk.h). Errors: Unavailable if decoding that many games exceeds the
// budget; Cancelled; those of GameFile::read().
//
// Only replays games that are known to be undamaged; also walks the others.
//
// REQUIRES: the database has opening names.
absl::StatusOr<const GameOpenings*> openings_of(const Database& database, const WorkBudget& budget);

// Returns the shown games that belong to a group or to a group below it. Errors as above.
absl::StatusOr<DatabaseGames> games_of_group(const DatabasePtr& database,
                                             OpeningGroups::Index group, const WorkBudget& budget);

}  // namespace scidfs::fs
