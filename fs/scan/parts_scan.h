// A walk through all games of the parts of a set, by several threads if there are many.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <span>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {

// The scans of all parts, one after the other, so that threads share the chunks of all. Immutable;
// it views the lists of the parts.
class PartsScan {
 public:
  // Goes through the list of each part; see GameScan::over().
  static absl::StatusOr<PartsScan> over(const GameSet& parts, std::size_t games_of_game,
                                        const WorkBudget& budget,
                                        std::size_t games_of_chunk = GameScan::kGamesOfChunk);

  std::size_t games() const { return games_; }
  std::size_t chunks() const { return ends_.empty() ? 0 : ends_.back(); }

  // Returns the part that a chunk belongs to.
  std::size_t part_of(std::size_t chunk) const;
  // See GameScan::visit_chunk().
  absl::Status visit_chunk(std::size_t chunk, GameScan::VisitBlock visit) const;
  // Calls visit(worker, part, block, games) for all blocks as GameScan::visit_all() does. Each
  // thread gets its blocks in the order of the set.
  absl::Status visit_all(
      std::size_t workers, const WorkBudget& budget,
      absl::FunctionRef<absl::Status(std::size_t worker, std::size_t part, std::size_t block,
                                     std::span<const GameIndex> games)>
          visit) const;

  // See GameScan::spend_blocks().
  bool spend_blocks(const WorkBudget& budget) const;

  // Returns the bytes of memory that keeping this costs.
  std::size_t memory() const;

 private:
  std::vector<GameScan> scans_;    // by part
  std::vector<std::size_t> ends_;  // by part: the number of chunks up to its end
  std::size_t games_ = 0;
};

}  // namespace scidfs::fs
