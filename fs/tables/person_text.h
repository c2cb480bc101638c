// What the spelling file says of a person, for people.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <string>

#include "codec/types.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// A date up to the first part that is not known: "1963.04.13", "1963", "".
std::string known_date(codec::Date date);

// Title, countries, life, id, notes and highest rating of a person, then how often the database has
// him under which spelling, and a chart of his ratings over the years. At most 80 columns wide;
// ends with a line end. FailedPrecondition and other errors as those of Spelling::details().
// REQUIRES: database.people() is not null, and has the person.
absl::StatusOr<std::string> person_text(const Database& database, std::uint32_t person);

}  // namespace scidfs::fs
