// What the positions files (fs/database/stored_positions.h) know of the games shown together.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "codec/target_position.h"
#include "fs/database/game_set.h"
#include "fs/positions/move_table.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// A position of all games that a version shows, with places among its databases.
struct KnownPosition {
  std::shared_ptr<const MoveTable> table;
  // In the order of NotableTally; of a file that lies, games that do not come to the position.
  std::vector<GameOfPart> strongest, newest;
};

// Return nothing if the positions file of a database with games does not have the position. The
// table alone reads nothing of the index.
std::shared_ptr<const MoveTable> known_table(const Version& version,
                                             const codec::TargetPosition& target);
std::optional<KnownPosition> known_position(const Version& version,
                                            const codec::TargetPosition& target);

}  // namespace scidfs::fs
