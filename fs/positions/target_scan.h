// The tables of moves of many positions, counted in one scan.
#pragma once

#include <absl/status/statusor.h>

#include <span>
#include <vector>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_bitmap.h"
#include "fs/positions/move_table.h"

namespace scidfs::fs {

// For each goal the games that come to it, each game once, at the first time that it does: just
// what codec::scid::PositionSeeker says of each game. Goes through the games as scan_blocks() does,
// whose errors these are, and those of GameFile::read().
//
// Games known to be whole are replayed, others walked, too, as far as they have come to a goal; all
// of these are walked where rights count. Each thread has a tally for each goal: a kilobyte or two
// for most of them, so a few megabytes for the goals of an opening tree.
//
// REQUIRES: rights count for all goals or for none.
absl::StatusOr<std::vector<MoveTally>> count_moves(const Database& database,
                                                   const GameBitmap& games,
                                                   std::span<const codec::TargetPosition> targets,
                                                   const WorkBudget& budget);

}  // namespace scidfs::fs
