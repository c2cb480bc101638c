// explorer.json: a position of a set in the shape of lichess' opening explorer.
#pragma once

#include <cstddef>
#include <string>

#include "codec/position.h"
#include "fs/database/database.h"
#include "fs/pages/notable_games.h"
#include "fs/positions/move_table.h"
#include "fs/positions/move_texts.h"

namespace scidfs::fs {

// How many games explorer.json lists.
inline constexpr std::size_t kTopGames = 15;
inline constexpr std::size_t kRecentGames = 8;

// Returns one JSON object and a line feed:
//   white, draws, black   games by result; games without a result are left out
//   moves                 most games first: uci, san, averageRating (of the side to move; 0:
//                         unknown), white, draws, black, opening
//   topGames, recentGames id (the number of the game, as a text), uci, winner ("white", "black" or
//                         null), white and black {name, rating}, year, month ("2014-06" or null)
//   opening               {eco, name}, or null
// The counts are those of moves.tsv. Names that are not UTF-8 have U+FFFD in the place of bad bytes.
std::string explorer_json(const Database& database, const codec::Position& position,
                          const MoveTable& table, const NamedPosition& named,
                          const NotableGames& games);

}  // namespace scidfs::fs
