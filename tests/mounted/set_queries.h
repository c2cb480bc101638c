// Random questions about the games of a database: as paths, for awk, and for Scid where it can ask
// the same. Values are drawn from the database's own index.tsv, so that most have answers.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mounted/index_table.h"
#include "tests/support/random_game.h"

namespace scidfs::tests {

// One of several lists of arguments of Scid's header search that have to be tried: a game is in the
// answer if any of them finds it.
using ScidSearches = std::vector<std::string>;

// What is asked, as conditions of awk on the columns of index.tsv and on what search.awk makes of
// them.
struct Query {
  std::string directory;      // below that of the database
  std::string condition;      // which games it holds
  std::string subject_white;  // when the player of the set has White; empty: there is none
  std::string subject_black;
  ScidSearches scid;        // none: it cannot be asked
  bool of_deleted = false;  // below deleted/, which has an index.tsv of its own

  bool has_subject() const { return !subject_white.empty(); }
};

struct AskedDatabase {
  const IndexTable& games;
  const IndexTable& deleted;  // perhaps without lines
  // Whether `flags` tells the games that begin elsewhere: not of Chess960.
  bool tells_starts = true;
};

// REQUIRES: the database has games that are not deleted.
std::vector<Query> ask_at_random(const AskedDatabase& database, std::size_t count, Random& random);

// The name that a directory of players, or one half of one of events, has for a name; empty for a
// name that is too long to be certain.
std::string directory_name(std::string_view name);
// The two letters by which players are sorted.
std::string shard_name(std::string_view directory_name);

}  // namespace scidfs::tests
