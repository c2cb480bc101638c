// What the games that come to a position play there.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/positions/move_table.h"
#include "fs/positions/year_table.h"

namespace scidfs::fs {

// What the games of a set, which all come to a position, play there. Errors: Unavailable if that
// wants more effort; Cancelled; those of GameFile::read().
absl::StatusOr<std::shared_ptr<const MoveTable>> moves_played(const GameSet& set,
                                                              const codec::TargetPosition& target,
                                                              const WorkBudget& budget);
// The same by years. Errors: as moves_played().
absl::StatusOr<YearTally> years_played(const GameSet& set, const codec::TargetPosition& target,
                                       const WorkBudget& budget);

}  // namespace scidfs::fs
