// The page of a game: games/12345.html, and the picture of its last position.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <string>

#include "fs/database/database.h"

namespace scidfs::fs {

// Returns the page of a game: tags, moves with comments, variations and NAGs, and a board. Scripts
// show any position of the game; without them the page shows the last one. `levels` is how many
// directories the page lies below that of the database. Errors: those of GameReader::append().
absl::StatusOr<std::string> game_page(const Database& database, GameIndex game, Part part,
                                      std::size_t levels);

// Returns a picture of the last position of a game's main line (board_svg()).
absl::StatusOr<std::string> game_picture(const Database& database, GameIndex game);

}  // namespace scidfs::fs
