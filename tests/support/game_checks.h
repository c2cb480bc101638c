// What files of a walked database say of its games, against the games.
#pragma once

#include "tests/support/walked_database.h"

namespace scidfs::tests {

// fens/ has a file for each game, of positions; tables of moves in tree/ count what these play;
// doubles/ has each game once in unique/; errors.tsv names the games whose text tells of damage.
void check_games(const WalkedDatabase& database);

}  // namespace scidfs::tests
