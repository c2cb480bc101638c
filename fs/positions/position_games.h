// The games that may come to a position, by the positions file.
#pragma once

#include <absl/status/statusor.h>

#include <optional>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/database/stored_positions.h"

namespace scidfs::fs {

// Returns the positions file of a database, which the first call that finds one keeps
// (Database::positions()); null if there is none.
const StoredPositions* stored_positions_of(const Database& database);

// Returns the games of a list that may come to a position, in place of a look at all of them: none
// is missing. Nothing if the database has no positions file, it does not know the position, or the
// games are so many that this would save no time. Reads one game. Errors: Unavailable if that and
// reading the list exceed the budget; Cancelled; those of GameFile::read().
absl::StatusOr<std::optional<DeltaList>> games_that_may_come(const Database& database,
                                                             const GameList& games,
                                                             const codec::TargetPosition& target,
                                                             const WorkBudget& budget);

}  // namespace scidfs::fs
