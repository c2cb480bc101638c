// The columns of games.parquet: those of index.tsv, with types.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/columns/parquet_file.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// Returns the table of the games of a set: a row for each, from index and names alone. Dates that
// are not whole are in the text beside. Flags are a column each (codec::scid::Flag). Sets of
// several databases have the column `database`. Errors: Unavailable if that exceeds the budget;
// Cancelled.
absl::StatusOr<std::shared_ptr<const ParquetTable>> game_table(const GameSet& games,
                                                               const WorkBudget& budget);

}  // namespace scidfs::fs
