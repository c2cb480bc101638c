// Virtual files that consist of games.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/content.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// How many games may be decoded to find out the size of one file. More must wait until the sizes of
// all games are known; the file does not show until then.
inline constexpr std::size_t kMaxGamesOnDemand = 20000;

// The text of one game. Errors: as Database::text_size().
absl::StatusOr<std::unique_ptr<Content>> open_game(std::shared_ptr<const Database> database,
                                                   GameIndex game);

// The positions of one game. Its size is kept nowhere: it is found when the file is opened.
// DataLoss or FailedPrecondition if the game file cannot be read.
absl::StatusOr<std::unique_ptr<Content>> open_positions(std::shared_ptr<const Database> database,
                                                        GameIndex game);

// The texts of many games, one behind the other. What `list` views belongs to the database.
// Unavailable if the sizes of too many games are not known yet.
absl::StatusOr<std::unique_ptr<Content>> open_games(std::shared_ptr<const Database> database,
                                                    GameList list);
// The same for a list that nobody else keeps.
absl::StatusOr<std::unique_ptr<Content>> open_games(std::shared_ptr<const Database> database,
                                                    GameDeltas games);

}  // namespace scidfs::fs
