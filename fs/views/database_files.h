// The files that a database has once, in its directory or below: info.txt, errors.tsv, the guides
// of search/ and positions/, what all pages load.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fs/content/directory.h"
#include "fs/reference/reference.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// How many positions these files have in a listing.
inline constexpr std::uint64_t kListedDatabaseFiles = 2;
// Return the files that the directory of a database, or of several together, lists after those of
// all sets, by position: nothing after the last one; and any such file by its name.
std::optional<Child> database_file(const Version& version, std::uint64_t position);
std::optional<Child> find_database_file(const Version& version, std::string_view name);

// Return the README.txt of search/ and of positions/.
std::optional<Child> search_guide(const Set& set);
std::optional<Child> positions_guide(const Set& set);

// Returns .ignore, which ripgrep and other search programs read: it lists everything that repeats
// the games of all.pgn.
std::string ignore_text(const Reference& reference);

}  // namespace scidfs::fs
