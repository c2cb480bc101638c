// Walks the whole name space of a mount in process, reads everything, and checks invariants.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "fs/library/library.h"
#include "fs/tree/tree.h"

namespace scidfs::tests {

struct WalkedTree {
  std::map<std::string, std::string> files;  // by path: the bytes read
  // One line each: a listed name that does not open, a size that differs from the bytes read, ...
  std::vector<std::string> faults;
};

// Holds for any files: every listed name opens, once; the size of stat is the number of bytes read,
// at any offset; ".." leads to the parent.
WalkedTree walk_tree(fs::Tree& tree);

// Invariants of the directory `prefix` of a database (with a slash at its end, or empty) with
// hidden deleted games: all.pgn and deleted/all.pgn are valid PGN and the concatenations of games/
// and deleted/; players, people, events, years and codes have exactly these games, each the right
// number of times; each set has a table with the lines of its games; fens/ has a file of positions
// for each of them; tables of moves in tree/ count the moves of these; tables have a line for each
// game and the right number of columns; errors.tsv names the games with damage in their text. Adds
// to the faults.
void check_database(WalkedTree& walked, const std::string& prefix);

// Opens a source, computes all sizes, walks and checks the whole tree. REQUIRES: it can be opened.
WalkedTree walk_library(fs::Library& library);

}  // namespace scidfs::tests
