// Random queries about the games of a database: as paths, for awk, and for Scid if it supports
// them. Values are drawn from the database's own index.tsv, so that most queries find games.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mounted/index_table.h"
#include "tests/support/random_game.h"

namespace scidfs::tests {

// One of several lists of arguments of the header search of Scid: a game is in the result if any of
// them finds it.
using ScidSearches = std::vector<std::string>;

// A query as conditions of awk on the columns of index.tsv and on the variables that search.awk
// computes from them.
struct Query {
  std::string directory;      // relative to that of the database
  std::string condition;      // which games it contains
  std::string subject_white;  // if the player of the set has White; empty: no player
  std::string subject_black;
  ScidSearches scid;        // empty: Scid cannot search for it
  bool of_deleted = false;  // below deleted/, which has its own index.tsv

  bool has_subject() const { return !subject_white.empty(); }
};

struct AskedDatabase {
  const IndexTable& games;
  const IndexTable& deleted;  // may have no lines
  // True if `flags` marks games with another start position: not in Chess960, nor if games have the
  // FEN of the standard position.
  bool tells_starts = true;
};

// REQUIRES: the database has games that are not deleted.
std::vector<Query> random_queries(const AskedDatabase& database, std::size_t count, Random& random);

// The directory of a name among players, or its half of the directory of an event; empty for a name
// that is too long to be certain.
std::string directory_name(std::string_view name);
// The two letters by which players are grouped.
std::string shard_name(std::string_view directory_name);

}  // namespace scidfs::tests
