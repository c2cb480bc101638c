// Damages real databases at random, and knows what must still be as it was.
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

// The fixtures, the sample and, where they are at hand, the beginnings of larger databases.
const std::vector<Whole>& whole_databases();

struct Damaged {
  const Whole* whole = nullptr;
  tests::ScidFiles files;
  std::string what;  // which database and what was done to it, for people
};

// One of the databases with 1 to 200 bytes changed, files cut short, emptied or swapped, a stretch
// overwritten, inserted or left out: one or several of these. The same number gives the same, and
// of the same database however many others there are, unless it is the turn of one of these.
Damaged damaged_database(std::uint64_t number);

// The games, from 0, whose index entry, names and record are provably untouched in `damaged`: their
// texts must be what they were. REQUIRES: `files` is whole.
std::vector<std::uint32_t> untouched_games(const tests::ScidFiles& files,
                                           const tests::ScidFiles& damaged);

// Whether the index can be opened at all: it has a header with magic and version.
bool has_header(const tests::ScidFiles& files);

}  // namespace scidfs::fuzz
