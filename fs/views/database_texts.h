// The text files about a database, or about several: info.txt, errors.tsv.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Returns `key: value` lines: what the database is, counts, dates, custom flags, health. Counts the
// damaged games if `is_counted`; this requires that the sizes of all texts are known.
std::string info_text(const Database& database, bool is_counted);

// Returns the info.txt of several databases: which take part, which do not, and where their single
// games are.
std::string together_text(const Together& together);
// The .ignore of several databases.
inline constexpr std::string_view kTogetherIgnore =
    "# These games are in the directories of their databases, too. `rg -u` reads everything.\n*\n";

// Returns the damaged games: number, byte in the game file, reason. Looks at all games unless that
// has been done. Errors: those of measure().
absl::StatusOr<std::string> errors_text(const Database& database, const WorkBudget& budget);

}  // namespace scidfs::fs
