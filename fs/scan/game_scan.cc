#include "fs/scan/game_scan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fs/base/parallel.h"
#include "fs/base/status_macros.h"
#include "fs/database/packed_index.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kBlock = PackedIndex::kBlock;
constexpr std::size_t kMostWorkers = 64;

}  // namespace

absl::StatusOr<GameScan> GameScan::over(const GameList& list, std::size_t games_of_game,
                                        const WorkBudget& budget, std::size_t games_of_chunk) {
  constexpr std::size_t kGamesOfLook = std::size_t{1} << 16;
  GameScan walk;
  GameList::Cursor rest = list.begin();
  GameList::Cursor before = rest;
  std::size_t in_chunk = games_of_chunk;
  std::size_t last_block = std::numeric_limits<std::size_t>::max();
  for (GameIndex game = rest.next(); game != kNoGame; game = rest.next()) {
    if (walk.games_++ % games_of_game == 0) {
      if (!budget.spend(1)) return WorkBudget::exceeded();
      ++walk.spent_;
    }
    if (walk.games_ % kGamesOfLook == 0 && budget.is_cancelled()) return WorkBudget::cancelled();
    if (game / kBlock != last_block) {
      last_block = game / kBlock;
      ++walk.blocks_;
      if (in_chunk >= games_of_chunk) {
        if (!walk.chunks_.empty()) walk.chunks_.back().end = game;
        walk.chunks_.push_back({.rest = before});
        in_chunk = 0;
      }
    }
    if (++in_chunk >= games_of_chunk) before = rest;
  }
  walk.chunks_.shrink_to_fit();
  return walk;
}

absl::Status GameScan::visit_chunk(std::size_t chunk, VisitBlock visit) const {
  auto [rest, end] = chunks_[chunk];
  std::array<GameIndex, kBlock> games;
  GameIndex game = rest.next();
  while (game != end) {
    const std::size_t block = game / kBlock;
    std::size_t count = 0;
    for (; game / kBlock == block; game = rest.next()) games[count++] = game;
    RETURN_IF_ERROR(visit(block, std::span(games).first(count)));
  }
  return absl::OkStatus();
}

absl::Status GameScan::visit_all(
    std::size_t workers, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t, std::size_t, std::span<const GameIndex>)> visit)
    const {
  return run_tasks(chunks(), workers, budget, [&](std::size_t worker, std::size_t chunk) {
    return visit_chunk(chunk, [&](std::size_t block, std::span<const GameIndex> games) {
      return visit(worker, block, games);
    });
  });
}

std::size_t workers_for(const WorkBudget& budget, std::size_t tasks) {
  return thread_count(budget.threads(), std::min(tasks, kMostWorkers));
}

}  // namespace scidfs::fs
