// Some games of a database, narrowed block by block.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>

#include "fs/content/work_budget.h"
#include "fs/database/game_bitmap.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// Leaves of a list the games that `keep` leaves of the mask of each block, which has the games of
// the list. `keep` is called on several threads as by scan_blocks(), whose errors these are too; of
// a short list on the calling one alone, without room for all games of the database.
absl::StatusOr<DeltaList> narrow(
    const GameList& games, GameIndex of_database, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block, BlockMask& mask)> keep);

// The same of all games whose bits are set; their bits go.
absl::StatusOr<DeltaList> narrow(
    GameBitmap bits, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block, BlockMask& mask)> keep);

}  // namespace scidfs::fs
