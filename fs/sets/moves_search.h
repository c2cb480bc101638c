// Which games of a set meet conditions on their moves.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <span>

#include "codec/position_goal.h"
#include "fs/content/effort.h"
#include "fs/database/database.h"
#include "fs/database/game_set.h"
#include "fs/sets/move_table.h"
#include "fs/sets/moves_test.h"
#include "fs/sets/year_table.h"

namespace scidfs::fs {

// The games of a list that meet all tests. Games whose marks may be believed are judged by these
// first (codec/scid/marks.h); what is left is replayed. With a whole effort on all processors.
// Errors: Unavailable if the decoding of all games, once for each test, wants more effort;
// Unimplemented (begin_decoding()); Cancelled; those of GameFile::read().
absl::StatusOr<GameDeltas> narrow_by_moves(const Database& database, const GameList& games,
                                           std::span<const std::unique_ptr<MovesTest>> tests,
                                           const Effort& effort);

// What the games of a set, which all come to a position, play there. Errors: Unavailable if that
// wants more effort; Cancelled; those of GameFile::read().
absl::StatusOr<std::shared_ptr<const MoveTable>> moves_played(const GameSet& set,
                                                              const codec::PositionGoal& goal,
                                                              const Effort& effort);
// The same by years. Errors: as moves_played().
absl::StatusOr<YearTally> years_played(const GameSet& set, const codec::PositionGoal& goal,
                                       const Effort& effort);

}  // namespace scidfs::fs
