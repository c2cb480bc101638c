// Walks the whole name space of a mount in process, reads everything, and checks what always holds.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "fs/library/library.h"
#include "fs/tree/tree.h"

namespace scidfs::tests {

struct WalkedTree {
  std::map<std::string, std::string> files;  // by path: what reading returned
  // Each a line: a listed name that does not open, a size that is not what is read, ...
  std::vector<std::string> faults;
};

// Whatever is in the files: every listed name opens, once; stat's size is what reading returns, at
// any offset; ".." leads back.
WalkedTree walk_tree(fs::Tree& tree);

// What must hold for the directory `prefix` of a database (with a slash at its end, or empty),
// whose deleted games are hidden: all.pgn and deleted/all.pgn are valid PGN and what games/ and
// deleted/ hold together; players, people, events, years and codes hold these games and no others,
// each as often as it should; each set has a table with the lines of its games; fens/ has a file
// for each of them, of positions; tables of moves in tree/ count what these play; tables have a
// line for each game and the right number of columns; errors.tsv names the games whose text tells
// of damage. Adds to the faults.
void check_database(WalkedTree& walked, const std::string& prefix);

// Opens a source, computes all sizes, walks and checks all of it. REQUIRES: it can be opened.
WalkedTree walk_library(fs::Library& library);

}  // namespace scidfs::tests
