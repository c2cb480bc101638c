// Compares files of a walked database about its games with the games.
#pragma once

#include "tests/support/walked_database.h"

namespace scidfs::tests {

// fens/ has a file of positions for each game; tables of moves in tree/ count the moves of these;
// doubles/ has each game once in unique/; errors.tsv names the games with damage in their text.
void check_games(const WalkedDatabase& database);

}  // namespace scidfs::tests
