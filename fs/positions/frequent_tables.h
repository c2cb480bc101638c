// The tables of moves of positions with many games, for a positions file
// (fs/database/stored_positions.h).
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/positions/board_lists.h"
#include "fs/positions/move_table.h"
#include "fs/positions/notable_tally.h"
#include "fs/positions/opening_order.h"

namespace scidfs::fs {

// From so many games on a table is stored: fewer are replayed in 4 ms, and tables of all from 1000
// games on would save only a tenth of the bytes of the file.
inline constexpr std::uint64_t kFrequentGames = 300;

// The games of a position. A value.
struct BoardTally {
  MoveTally moves;
  NotableTally notable{kTopGames, kRecentGames};

  BoardTally& operator+=(const BoardTally& other) {
    moves += other.moves;
    notable += other.notable;
    return *this;
  }
  // Appends what is stored: of strongest and newest games their number and their numbers, as
  // numbers of 7 bits a byte; then the counts (MoveTally::write()).
  void write(std::vector<std::uint8_t>& out) const;
};

// Calls add(name, tally) for the positions at these places, whose boards differ, each once without
// rights and once with the rights that it has there. The tallies are those of the shown games.
// Scans all games once for each 192 MiB of tallies. Errors: those of `add`, of scan_blocks() and of
// GameFile::read().
absl::Status count_frequent(
    const Database& database, const OpeningOrder& order, std::span<const BoardPlaceInGame> places,
    const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::string_view name, const BoardTally& tally)> add);

// What a positions file has of a position for all shown games of a database.
struct StoredPosition {
  MoveTally moves;
  // Of a file that lies, games that do not come to the position.
  std::vector<GameIndex> strongest, newest;
};
// Returns nothing if the positions file has no table of the position.
std::optional<StoredPosition> stored_position(const Database& database,
                                              const codec::TargetPosition& target);

}  // namespace scidfs::fs
