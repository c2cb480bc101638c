// What the sets of a walked database have to do with each other.
#pragma once

#include "tests/support/walked_database.h"

namespace scidfs::tests {

// all.pgn and deleted/all.pgn are what games/ and deleted/ hold together; players, people, events,
// years, codes and openings hold these games and no others, each as often as it should; each set
// has a table with the lines of its games, and an event the tables of an event.
void check_sets(const WalkedDatabase& database);

}  // namespace scidfs::tests
