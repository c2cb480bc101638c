// The facts that the spelling file and FIDE's list have about a person, for users to read.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <span>
#include <string>

#include "codec/types.h"
#include "fs/database/common_players.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Returns a date up to its first unknown part: "1963.04.13", "1963", "".
std::string known_date(codec::Date date);

// Returns title, countries, life, id, notes and highest rating of a person, and the rating in
// FIDE's list; then how many games the databases have under each spelling, and a chart of the
// ratings over the years. At most 80 columns wide; ends with a line end. Errors: FailedPrecondition
// and others of Spelling::details(). REQUIRES: `players` are those of the databases, in the same
// order; players.people() is not null.
absl::StatusOr<std::string> person_text(std::span<const DatabasePtr> databases,
                                        const CommonPlayers& players, std::uint32_t person);

}  // namespace scidfs::fs
