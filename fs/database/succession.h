// How a new version of a database follows the one before.
#pragma once

#include <cstdint>
#include <vector>

#include "fs/database/database.h"

namespace scidfs::fs {

// Whether these files look like a whole version that somebody made of another one: either all three
// are other files, or what has been written is what Scid writes: flags, and games whose records lie
// after the old ones. When somebody writes over the files, as cp does, nothing can tell whether
// there is more to come.
bool is_plausible_after(const Database& database, const Database& before);

// The sizes that are known of `database`, and those of games that have not changed since `before`;
// see GameSizes::adopt().
std::vector<std::uint32_t> inherited_sizes(const Database& database, const Database& before);

}  // namespace scidfs::fs
