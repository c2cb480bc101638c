// Formats the findings of a check for users.
#pragma once

#include <string>
#include <string_view>

#include "fs/check/database_check.h"
#include "fs/check/pgn_check.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Returns whether there is damage that a reader of the games would notice.
bool is_damaged(const Database& database, const DatabaseFindings& findings);

// Returns a line with the games of the database, which is called `path`; a block of indented lines
// for each kind of finding; a line that tells how much can be read. No control characters but line
// ends.
std::string report_text(const Database& database, std::string_view path,
                        const DatabaseFindings& findings);

// Returns the same for a PGN file.
std::string report_text(std::string_view path, const PgnFindings& findings);

}  // namespace scidfs::fs
