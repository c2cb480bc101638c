#include "fs/database/game_bitmap.h"

#include <algorithm>
#include <cassert>

#include "fs/base/parallel.h"
#include "fs/base/status_macros.h"
#include "fs/content/run_tasks.h"

namespace scidfs::fs {
namespace {

// The blocks that a thread takes at once, between two checks of the budget.
constexpr std::size_t kBlocksOfTask = 16;
constexpr std::size_t kMostWorkers = 64;

}  // namespace

void GameBitmap::add(const GameList& games) {
  if (const GameIndex all = games.all(); all != 0) {
    std::vector<std::uint64_t> wanted(words_.size());
    std::fill_n(wanted.begin(), all / 64, ~std::uint64_t{0});
    if (all % 64 != 0) wanted[all / 64] = (std::uint64_t{1} << all % 64) - 1;
    games.for_each_left_out(
        [&](GameIndex game) { wanted[game / 64] &= ~(std::uint64_t{1} << game % 64); });
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= wanted[i];
    return;
  }
  GameList::Cursor cursor = games.begin();
  for (GameIndex game = cursor.next(); game != kNoGame; game = cursor.next()) add(game);
}

GameBitmap& GameBitmap::operator&=(const GameBitmap& other) {
  assert(words_.size() == other.words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  return *this;
}

std::size_t GameBitmap::count() const {
  std::size_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

DeltaList GameBitmap::to_deltas() const {
  DeltaList games;
  for (std::size_t i = 0; i < blocks(); ++i) {
    for_each_bit(block(i), [&](std::size_t bit) {
      games.add(static_cast<GameIndex>(i * PackedIndex::kBlock + bit));
    });
  }
  return games;
}

std::size_t scan_workers(const WorkBudget& budget) {
  return thread_count(budget.threads(), kMostWorkers);
}

absl::Status scan_blocks(
    const GameBitmap& games, const WorkBudget& budget,
    absl::FunctionRef<absl::Status(std::size_t worker, std::size_t block, const BlockMask& mask)>
        visit) {
  const std::size_t tasks = (games.blocks() + kBlocksOfTask - 1) / kBlocksOfTask;
  const std::size_t workers = std::max<std::size_t>(1, std::min(scan_workers(budget), tasks));
  return run_tasks(tasks, workers, budget, [&](std::size_t worker, std::size_t task) {
    const std::size_t end = std::min((task + 1) * kBlocksOfTask, games.blocks());
    for (std::size_t block = task * kBlocksOfTask; block < end; ++block) {
      const BlockMask mask = games.block(block);
      if (mask == BlockMask{}) continue;
      RETURN_IF_ERROR(visit(worker, block, mask));
    }
    return absl::OkStatus();
  });
}

}  // namespace scidfs::fs
