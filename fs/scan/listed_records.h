// The records of listed games, read by a few threads.
#pragma once

#include <absl/status/status.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/scan/game_records.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {

inline constexpr std::size_t kRecordsOfTask = 1024;

// Returns the number of workers that for_each_record() needs for `games` games.
inline std::size_t record_workers(const WorkBudget& budget, std::size_t games) {
  return std::max<std::size_t>(1, workers_for(budget, games / kRecordsOfTask));
}

// Calls visit(worker, i, record, head) for each of `count` games, game_at(i) ascending, whose
// record says where the game starts. Each thread has one of the workers, and uses its `records`.
// Errors: Cancelled; those of GameFile::read().
template <class Worker, class GameAt, class Visit>
absl::Status for_each_record(std::size_t count, const GameAt& game_at, std::vector<Worker>& workers,
                             const WorkBudget& budget, const Visit& visit) {
  const auto run = [&](std::size_t number, std::size_t task) {
    Worker& worker = workers[number];
    std::vector<GameIndex> of_block;
    const std::size_t end = std::min((task + 1) * kRecordsOfTask, count);
    for (std::size_t i = task * kRecordsOfTask; i < end; i += of_block.size()) {
      of_block.clear();
      const std::size_t block = game_at(i) / PackedIndex::kBlock;
      for (std::size_t k = i; k < end && game_at(k) / PackedIndex::kBlock == block; ++k) {
        of_block.push_back(game_at(k));
      }
      RETURN_IF_ERROR(worker.records.for_each_game(
          of_block, [&](std::size_t k, codec::Bytes record, const codec::scid::RecordHead& head) {
            visit(worker, i + k, record, head);
          }));
    }
    return absl::OkStatus();
  };
  return run_tasks((count + kRecordsOfTask - 1) / kRecordsOfTask, workers.size(), budget, run);
}

}  // namespace scidfs::fs
