// The columns of plies.parquet and positions.parquet: a row for each position of the main lines.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>

#include "fs/columns/parquet_file.h"
#include "fs/columns/set_plies.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

enum class PlyTableKind : std::uint8_t {
  Plies,      // as plies.tsv without FENs, with result and ratings of the game
  Positions,  // bitboards of the pieces, and the state (codec::scid::ByteState)
};

// Returns the table of the games of a set. Its rows are those of the arrays (array_files.h); the
// column `damaged` tells those of games whose text reports damage. A game whose record does not say
// where it begins has one row, without moves and pieces. A group has kRowsOfGroup rows; a game may
// lie in two. REQUIRES: the sizes of the games are known (measure()). Errors: Unavailable if that
// exceeds the budget; Cancelled.
absl::StatusOr<std::shared_ptr<const ParquetTable>> ply_table(const GameSet& games,
                                                              PlyTableKind kind,
                                                              std::shared_ptr<const SetPlies> plies,
                                                              const WorkBudget& budget);

}  // namespace scidfs::fs
