// How a new version of a database follows the one before.
#pragma once

#include <cstdint>
#include <vector>

#include "fs/database/database.h"

namespace scidfs::fs {

// Returns whether these files look like a complete version that a program made from another one:
// either all three are new files, or the changes are those that Scid writes: flags, and games whose
// records lie after the old ones. When a program such as cp overwrites the files, it is unknown
// whether more will follow.
bool is_plausible_after(const Database& database, const Database& before);

// Returns the known sizes of `database`, and those of games that have not changed since `before`;
// see GameSizes::adopt().
std::vector<std::uint32_t> inherited_sizes(const Database& database, const Database& before);

}  // namespace scidfs::fs
