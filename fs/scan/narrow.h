// Narrows a set of games block by block.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>

#include "fs/content/work_budget.h"
#include "fs/database/game_bitmap.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// Returns the games of a list that `keep` leaves in the mask of each block, which has the games of
// the list. Several threads call `keep`, as in scan_blocks(), whose errors these are too. For a
// short list only the calling thread does, without room for all games of the database.
absl::StatusOr<DeltaList> narrow(
    const GameList& games, GameIndex of_database, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block, BlockMask& mask)> keep);

// Does the same for all games whose bits are set, and consumes the bits.
absl::StatusOr<DeltaList> narrow(
    GameBitmap bits, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block, BlockMask& mask)> keep);

}  // namespace scidfs::fs
