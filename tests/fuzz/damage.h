// Damages real databases at random, and determines which games must be unchanged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/random_game.h"
#include "tests/support/scid_files.h"

namespace scidfs::fuzz {

// A whole database.
struct Whole {
  std::string name;
  tests::ScidFiles files;
};

// The fixtures, the sample and, if they exist, the beginnings of larger databases.
const std::vector<Whole>& whole_databases();

struct Damaged {
  const Whole* whole = nullptr;
  tests::ScidFiles files;
  std::string what;  // the database and its damage, for messages
};

// One of the databases with one or several of: 1 to 200 bytes changed; files cut short, emptied or
// swapped; a stretch overwritten, inserted or left out. The same number gives the same result, and
// for the same database it does not depend on the number of others, unless one of these is drawn.
Damaged damaged_database(std::uint64_t number);

// The games, from 0, whose index entry, names and record are provably unchanged in `damaged`: their
// texts must be the same. REQUIRES: `files` is undamaged.
std::vector<std::uint32_t> untouched_games(const tests::ScidFiles& files,
                                           const tests::ScidFiles& damaged);

// True if the index can be opened at all: its header has the right magic and version.
bool has_header(const tests::ScidFiles& files);

}  // namespace scidfs::fuzz
