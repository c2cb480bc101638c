#include "fs/scan/set_walk.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "cache/mutex.h"
#include "fs/base/parallel.h"
#include "fs/database/packed_index.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kBlock = PackedIndex::kBlock;
constexpr std::size_t kMostWorkers = 64;

}  // namespace

absl::StatusOr<SetWalk> SetWalk::over(const GameList& list, std::size_t games_of_game,
                                      const Effort& effort, std::size_t games_of_stretch) {
  constexpr std::size_t kGamesOfLook = std::size_t{1} << 16;
  SetWalk walk;
  GameList::Cursor rest = list.begin();
  GameList::Cursor before = rest;
  std::size_t in_stretch = games_of_stretch;
  std::size_t last_block = std::numeric_limits<std::size_t>::max();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    if (walk.games_++ % games_of_game == 0) {
      if (!effort.spend(1)) return Effort::too_little();
      ++walk.spent_;
    }
    if (walk.games_ % kGamesOfLook == 0 && effort.is_over()) return Effort::over();
    if (game / kBlock != last_block) {
      last_block = game / kBlock;
      ++walk.blocks_;
      if (in_stretch >= games_of_stretch) {
        if (!walk.stretches_.empty()) walk.stretches_.back().end = game;
        walk.stretches_.push_back({.rest = before});
        in_stretch = 0;
      }
    }
    if (++in_stretch >= games_of_stretch) before = rest;
  }
  walk.stretches_.shrink_to_fit();
  return walk;
}

absl::Status SetWalk::visit_stretch(std::size_t stretch, VisitBlock visit) const {
  auto [rest, end] = stretches_[stretch];
  std::array<GameIndex, kBlock> games;
  GameIndex game = rest.next();
  while (game != end) {
    const std::size_t block = game / kBlock;
    std::size_t count = 0;
    for (; game / kBlock == block; game = rest.next()) games[count++] = game;
    if (absl::Status status = visit(block, std::span(games).first(count)); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

absl::Status SetWalk::visit_all(
    std::size_t workers, const Effort& effort,
    absl::FunctionRef<absl::Status(std::size_t, std::size_t, std::span<const GameIndex>)> visit)
    const {
  return run_tasks(stretches(), workers, effort, [&](std::size_t worker, std::size_t stretch) {
    return visit_stretch(stretch, [&](std::size_t block, std::span<const GameIndex> games) {
      return visit(worker, block, games);
    });
  });
}

std::size_t workers_for(const Effort& effort, std::size_t tasks) {
  return thread_count(effort.threads(), std::min(tasks, kMostWorkers));
}

absl::Status run_tasks(std::size_t count, std::size_t workers, const Effort& effort,
                       absl::FunctionRef<absl::Status(std::size_t, std::size_t)> run) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> has_failed = false;
  cache::Mutex mutex;
  absl::Status failure;
  const auto fail = [&](absl::Status status) {
    const cache::MutexLock lock(mutex);
    if (failure.ok()) failure = std::move(status);
    has_failed = true;
  };
  run_parallel(workers, static_cast<unsigned>(workers), [&](std::size_t worker) {
    for (std::size_t task = next++; task < count && !has_failed; task = next++) {
      absl::Status status = effort.is_over() ? Effort::over() : run(worker, task);
      if (!status.ok()) fail(std::move(status));
    }
  });
  return failure;
}

}  // namespace scidfs::fs
