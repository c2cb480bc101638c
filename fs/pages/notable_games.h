// The strongest and the newest games of a set that reaches a position.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "codec/target_position.h"
#include "codec/types.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

struct NotableGame {
  GameIndex game = 0;
  std::optional<codec::Move> next;  // the move played in the position; nothing: the game ends there
};

struct NotableGames {
  std::vector<NotableGame> strongest;  // by the sum of both ratings, then by game number
  std::vector<NotableGame> newest;     // by date, then the highest game number first
};

// Returns the games of a set with a known result, at most so many of each kind. All games of the set
// reach the position. Scans columns in memory, then decodes only the games that it returns. Errors:
// Unavailable, Cancelled, those of GameFile::read().
absl::StatusOr<NotableGames> notable_games(const GameSet& set, const codec::TargetPosition& target,
                                           std::size_t most_strongest, std::size_t most_newest,
                                           const WorkBudget& budget);

}  // namespace scidfs::fs
