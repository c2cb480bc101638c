// Checks relations between the sets of a walked database.
#pragma once

#include "tests/support/walked_database.h"

namespace scidfs::tests {

// all.pgn and deleted/all.pgn are the concatenations of games/ and deleted/; players, people,
// events, years, codes and openings have exactly these games, each the right number of times; each
// set has a table with the lines of its games, and an event has the tables of an event.
void check_sets(const WalkedDatabase& database);

}  // namespace scidfs::tests
