// The text files about a database: info.txt, errors.tsv.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// `key: value` lines: what the database is, counts, dates, custom flags, health. The damaged games
// are among the counts if they are to be counted, which wants the sizes of all texts to be known.
std::string info_text(const Database& database, bool is_counted);

// The damaged games: number, byte in the game file, reason. Looks at all games if nobody has;
// errors as those of measure().
absl::StatusOr<std::string> errors_text(const Database& database, const WorkBudget& budget);

}  // namespace scidfs::fs
