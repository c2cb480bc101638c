// Which positions are likely to be frequent, by a look at some of the games.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_bitmap.h"

namespace scidfs::fs {

// Some plies from a position on.
struct Onward {
  codec::TargetPosition target;
  unsigned plies = 0;
};

// A guess that spares scans and changes no result. It looks at games here and there, always the
// same: at about 16,384 of those that come to a root, or at all if there are not many more.
// Temporary memory: 150 bytes for each different position of these games.
class PositionSample {
 public:
  // Both must outlive this.
  PositionSample(const Database& database, const GameBitmap& games)
      : database_(database), games_(games) {}

  // The positions, each once, that at least one in two hundred of the games that were looked at
  // come to while they are on one of these ways, from its goal on. At most 200 for each ply of the
  // longest way. The first call says what the root is. Errors as those of count_moves().
  absl::StatusOr<std::vector<codec::TargetPosition>> frequent(std::span<const Onward> ways,
                                                              const WorkBudget& budget);

 private:
  struct Findings;
  GameBitmap pick(std::uint64_t limit) const;
  absl::StatusOr<Findings> look(const GameBitmap& games, std::span<const Onward> ways,
                                const WorkBudget& budget) const;
  absl::StatusOr<Findings> look_first(std::span<const Onward> ways, const WorkBudget& budget);

  const Database& database_;
  const GameBitmap& games_;
  std::optional<GameBitmap> picked_;
  std::size_t reached_ = 0;  // how many of these come to the root
};

}  // namespace scidfs::fs
