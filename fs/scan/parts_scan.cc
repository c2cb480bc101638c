#include "fs/scan/parts_scan.h"

#include <algorithm>
#include <utility>

#include "fs/base/status_macros.h"
#include "fs/content/run_tasks.h"

namespace scidfs::fs {

absl::StatusOr<PartsScan> PartsScan::over(const GameSet& parts, std::size_t games_of_game,
                                          const WorkBudget& budget, std::size_t games_of_chunk) {
  PartsScan all;
  for (const DatabaseGames& part : parts) {
    ASSIGN_OR_RETURN(GameScan scan,
                     GameScan::over(part.list(), games_of_game, budget, games_of_chunk));
    all.games_ += scan.games();
    all.ends_.push_back(all.chunks() + scan.chunks());
    all.scans_.push_back(std::move(scan));
  }
  return all;
}

std::size_t PartsScan::part_of(std::size_t chunk) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(ends_, chunk) - ends_.begin());
}

absl::Status PartsScan::visit_chunk(std::size_t chunk, GameScan::VisitBlock visit) const {
  const std::size_t part = part_of(chunk);
  return scans_[part].visit_chunk(part == 0 ? chunk : chunk - ends_[part - 1], visit);
}

absl::Status PartsScan::visit_all(
    std::size_t workers, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t, std::size_t, std::size_t,
                                   std::span<const GameIndex>)>
        visit) const {
  return run_tasks(chunks(), workers, budget, [&](std::size_t worker, std::size_t chunk) {
    const std::size_t part = part_of(chunk);
    return visit_chunk(chunk, [&](std::size_t block, std::span<const GameIndex> games) {
      return visit(worker, part, block, games);
    });
  });
}

bool PartsScan::spend_blocks(const WorkBudget& budget) const {
  return std::ranges::all_of(scans_,
                             [&budget](const GameScan& scan) { return scan.spend_blocks(budget); });
}

std::size_t PartsScan::memory() const {
  std::size_t bytes = scans_.capacity() * sizeof(scans_[0]) + ends_.capacity() * sizeof(ends_[0]);
  for (const GameScan& scan : scans_) bytes += scan.memory();
  return bytes;
}

}  // namespace scidfs::fs
