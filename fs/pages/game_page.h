// The page of a game: games/12345.html, and the picture of its last position.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <span>
#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/pages/page.h"

namespace scidfs::fs {

// Returns the page of a game: tags, moves with comments, variations and NAGs, and a board. Scripts
// show any position of the game; without them the page shows the last one. Links lead to the
// players, the event, the year and the opening of a shown game, to its neighbors and its PGN.
// `levels` is how many directories the page lies below that of the database. Errors: those of
// GameReader::append().
absl::StatusOr<std::string> game_page(const Database& database, GameIndex game, Part part,
                                      std::span<const Crumb> crumbs, std::size_t levels);

// Returns a picture of the last position of a game's main line (board_svg()); of the standard
// position for a record that does not say where the game starts. Errors: Cancelled, and those of
// GameFile::read().
absl::StatusOr<std::string> game_picture(const Database& database, GameIndex game,
                                         const WorkBudget& budget);

}  // namespace scidfs::fs
