// The text files about a database: info.txt, errors.tsv.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/database/database.h"

namespace scidfs::fs {

// `key: value` lines: what the database is, counts, dates, custom flags, health.
std::string info_text(const Database& database);

// The damaged games: number, byte in the game file, reason. Unavailable until all games have been
// looked at.
absl::StatusOr<std::string> errors_text(const Database& database);

}  // namespace scidfs::fs
