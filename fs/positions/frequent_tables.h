// The tables of moves of positions with many games, for a positions file
// (fs/database/stored_positions.h).
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/positions/board_lists.h"
#include "fs/positions/move_table.h"
#include "fs/positions/opening_order.h"

namespace scidfs::fs {

// From so many games on a table is stored: fewer are replayed in a millisecond.
inline constexpr std::uint64_t kFrequentGames = 1000;

// Calls add(name, tally) for the positions at these places, whose boards differ, each once without
// rights and once with the rights that it has there. The tallies are those of the shown games.
// Scans all games once for each 192 MiB of tallies. Errors: those of `add`, of scan_blocks() and of
// GameFile::read().
absl::Status count_frequent(
    const Database& database, const OpeningOrder& order, std::span<const BoardPlaceInGame> places,
    const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::string_view name, const MoveTally& tally)> add);

// Returns the table of a position for all shown games of a database, if the positions file has it;
// else null.
std::shared_ptr<const MoveTable> stored_table(const Database& database,
                                              const codec::TargetPosition& target);

}  // namespace scidfs::fs
