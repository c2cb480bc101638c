// Positions that are likely to be frequent, judged by some of the games.
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

// Some plies that follow a position.
struct Onward {
  codec::TargetPosition target;
  unsigned plies = 0;
};

// A guess that saves scans and changes no result. It samples the same games each time: about 16,384
// of those that come to a root, or all of them if there are not many more. Temporary memory: 150
// bytes for each different position of these games.
class PositionSample {
 public:
  // Both must outlive this.
  PositionSample(const Database& database, const GameBitmap& games)
      : database_(database), games_(games) {}

  // Returns the positions, each once, to which at least one in two hundred of the sampled games
  // come while they follow one of `ways` from its target position on. Returns at most 200 for each
  // ply of the longest way. The first call defines the root. Errors: those of count_moves().
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
