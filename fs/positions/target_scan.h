// The move tables of many positions, counted in one scan.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_bitmap.h"
#include "fs/positions/line_tally.h"
#include "fs/positions/move_table.h"

namespace scidfs::fs {

// Returns for each target position the counts of the games that come to it. Each game counts once,
// the first time that it comes there, exactly as codec::scid::PositionSeeker finds it. Scans the
// games with scan_blocks(). Errors: those of scan_blocks() and of GameFile::read().
//
// Only replays games that are known to be undamaged; also walks the others, and where rights count
// games from a FEN, if they come to a target position. Each thread has a tally for each
// target position: one or two kilobytes for most of them, so a few megabytes for an opening tree.
//
// `part` is that of the database in a set. REQUIRES: rights count for all target positions or for
// none.
absl::StatusOr<std::vector<MoveTally>> count_moves(const Database& database, std::uint32_t part,
                                                   const GameBitmap& games,
                                                   std::span<const codec::TargetPosition> targets,
                                                   const WorkBudget& budget);
// Counts the same, but only results: a thread takes some hundred bytes for each target position.
absl::StatusOr<std::vector<LineTally>> count_lines(const Database& database,
                                                   const GameBitmap& games,
                                                   std::span<const codec::TargetPosition> targets,
                                                   const WorkBudget& budget);

}  // namespace scidfs::fs
