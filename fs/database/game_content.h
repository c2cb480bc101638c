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

// All of these find out unknown sizes, within the budget. Errors: as measure().

// Returns the text of one game.
absl::StatusOr<std::unique_ptr<Content>> open_game(DatabasePtr database, GameIndex game,
                                                   const WorkBudget& budget);

// Returns the positions of one game. Their size is not kept: each call computes it.
absl::StatusOr<std::unique_ptr<Content>> open_positions(DatabasePtr database, GameIndex game,
                                                        const WorkBudget& budget);

// Return the texts of many games, one after the other: those of a set part by part.
absl::StatusOr<std::unique_ptr<Content>> open_games(const GameSet& games, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_games(GameOrder games, const WorkBudget& budget);

}  // namespace scidfs::fs
