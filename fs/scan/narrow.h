// Some games of a database, narrowed block by block.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>

#include "fs/content/effort.h"
#include "fs/database/game_bits.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// Leaves of a list the games that `keep` leaves of the mask of each block, which has the games of
// the list. `keep` is called on several threads as by scan_blocks(), whose errors these are too; of
// a short list on the calling one alone, without room for all games of the database.
absl::StatusOr<GameDeltas> narrow(
    const GameList& games, GameIndex of_database, const Effort& effort,
    absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block, BlockMask& mask)> keep);

// The same of all games whose bits are set; their bits go.
absl::StatusOr<GameDeltas> narrow(
    GameBits bits, const Effort& effort,
    absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block, BlockMask& mask)> keep);

}  // namespace scidfs::fs
