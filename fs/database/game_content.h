// Virtual files that consist of games.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/database/game_order.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// All of these find out sizes that are not known, within the effort. Errors: as measure().

// The text of one game.
absl::StatusOr<std::unique_ptr<Content>> open_game(DatabasePtr database, GameIndex game,
                                                   const WorkBudget& budget);

// The positions of one game. Their size is kept nowhere: it is found out each time.
absl::StatusOr<std::unique_ptr<Content>> open_positions(DatabasePtr database, GameIndex game,
                                                        const WorkBudget& budget);

// The texts of many games, one after the other.
absl::StatusOr<std::unique_ptr<Content>> open_games(GameSet games, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_games(GameOrder games, const WorkBudget& budget);

}  // namespace scidfs::fs
