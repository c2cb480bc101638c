// explorer.json: a position of a set in the shape of lichess' opening explorer.
#pragma once

#include <cstddef>
#include <string>

#include "codec/position.h"
#include "fs/database/game_set.h"
#include "fs/pages/notable_games.h"
#include "fs/positions/move_table.h"
#include "fs/positions/move_texts.h"

namespace scidfs::fs {

// Returns one JSON object on a line, with the keys in this order:
//   white, draws, black    games by result, without those of unknown result
//   moves                  the moves of these games, most games first: uci, san, white, draws,
//                          black, averageRating (of the side to move in all games, 0: unknown),
//                          game (as below if one game plays the move, else null), opening
//   topGames, recentGames  id (game_id() in fs/tables/game_names.h), uci (null: the game ends
//                          here), winner ("white", "black" or null), white and black {name,
//                          rating}, year, month ("2014-06" or null)
//   opening                {eco, name}, or null; eco is "B90" without the letters that Scid adds
// The counts are those of moves.tsv; so are ratings, which also count games of unknown result.
// All ratings are Elo ratings. Unknown ratings and years are 0. Names are valid UTF-8 and without
// control characters already (codec/scid/names.h, codec/scid/eco_file.h).
std::string explorer_json(const GameSet& parts, const codec::Position& position,
                          const MoveTable& table, const NamedPosition& named,
                          const NotableGames& games);

}  // namespace scidfs::fs
