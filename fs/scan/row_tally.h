// Counts what columns of the index say of the games of a set.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/database/game_set.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/game_scan.h"

namespace scidfs::fs {

// Calls add(tally, rows) for all games of a set, many at a time, on several threads, each with a
// tally of its own. Returns their sum. Errors: those of GameScan::over() and visit_all().
template <class Tally, class Add>
absl::StatusOr<Tally> tally_rows(const DatabaseGames& set,
                                 std::initializer_list<ColumnBatch::Column> columns,
                                 const WorkBudget& budget, const Add& add) {
  ASSIGN_OR_RETURN(const GameScan scan, GameScan::over(set.list(), kMemoryEntriesOfGame, budget));
  struct Worker {
    Tally tally;
    ColumnBatch rows;
  };
  std::vector<Worker> workers(workers_for(budget, scan.chunks()),
                              Worker{.tally = {}, .rows = ColumnBatch(columns)});
  RETURN_IF_ERROR(
      scan.visit_all(workers.size(), budget,
                     [&](std::size_t worker, std::size_t block, std::span<const GameIndex> games) {
                       auto& [tally, rows] = workers[worker];
                       rows.read(set.database()->index(), block, games);
                       add(tally, rows);
                       return absl::OkStatus();
                     }));
  for (std::size_t i = 1; i < workers.size(); ++i) workers[0].tally += workers[i].tally;
  return std::move(workers[0].tally);
}

}  // namespace scidfs::fs
