// The directory of a database: the files that it has in addition to those of all sets.
#pragma once

#include <optional>
#include <string>

#include "fs/reference/reference.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Returns info.txt of a database. That is one file until all games have been looked at, and another
// one, which counts the damaged games, from then on.
std::optional<Child> info_file(const Set& database);

// Returns .ignore, which ripgrep and other search programs read: it lists everything that repeats
// the games of all.pgn.
std::string ignore_text(const Reference& reference);

}  // namespace scidfs::fs
