// The directory of a database: what it has besides what all sets have.
#pragma once

#include <optional>
#include <string>

#include "fs/reference/reference.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// info.txt of a database: one file as long as the damaged games are not counted, another one as
// soon as all games have been looked at.
std::optional<Child> info_file(const Set& database);

// .ignore, which ripgrep and others that search texts read: all that shows the games of all.pgn
// again.
std::string ignore_text(const Reference& reference);

}  // namespace scidfs::fs
