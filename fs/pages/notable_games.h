// The strongest and the newest games that come to a position.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <optional>
#include <vector>

#include "codec/target_position.h"
#include "codec/types.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/positions/notable_tally.h"

namespace scidfs::fs {

// A game that comes to the position.
struct NotableGame {
  GameOfPart game;
  std::optional<codec::Move> next;  // the move played in the position; nothing: the game ends there
};

struct NotableGames {
  // By the sum of both Elo ratings, then in the order of the set.
  std::vector<NotableGame> strongest;
  // By date, then the last game of the set first.
  std::vector<NotableGame> newest;
};

// Returns games of a set with a known result (NotableTally), at most `most_strongest` and
// `most_newest`. Scans columns in memory, then decodes only the games that it returns. REQUIRES:
// all games of the set come to the position. Errors: Unavailable if that exceeds the budget;
// Cancelled; those of GameFile::read().
absl::StatusOr<NotableGames> notable_games(const GameSet& parts,
                                           const codec::TargetPosition& target,
                                           std::size_t most_strongest, std::size_t most_newest,
                                           const WorkBudget& budget);

// Returns these games of a set, with their moves. Errors: NotFound if one of them does not come to
// the position; those above.
absl::StatusOr<NotableGames> with_moves(const GameSet& parts,
                                        const std::vector<GameOfPart>& strongest,
                                        const std::vector<GameOfPart>& newest,
                                        const codec::TargetPosition& target,
                                        const WorkBudget& budget);

}  // namespace scidfs::fs
