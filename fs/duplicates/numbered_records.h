// The records of games of several databases, read by a few threads.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/database/game_numbers.h"
#include "fs/scan/game_records.h"
#include "fs/scan/listed_records.h"

namespace scidfs::fs {

// Calls visit(worker, i, game, record, head) for each of `count` games, number_at(i) ascending,
// whose record says where the game starts; `game` is its index in its database. Goes through one
// database after the other, where each thread has a Worker(database, check, budget), and uses its
// `records`. Visits the games of a database twice if its game file turns out to have changed.
// Errors: Cancelled; those of GameFile::read().
template <class Worker, class NumberAt, class Visit>
absl::Status for_each_numbered_record(const GameNumbers& numbers, std::size_t count,
                                      const NumberAt& number_at, const WorkBudget& budget,
                                      const Visit& visit) {
  const auto scan_part = [&](std::size_t part, std::size_t begin, std::size_t end) {
    const Database& database = *numbers.part(part);
    const auto game_at = [&](std::size_t i) { return numbers.at(number_at(begin + i)).game; };
    const auto scan = [&](GameFile::Check check) -> absl::StatusOr<bool> {
      std::vector<Worker> workers;
      const std::size_t threads = record_workers(budget, end - begin);
      workers.reserve(threads);
      for (std::size_t i = 0; i < threads; ++i) workers.emplace_back(database, check, budget);
      RETURN_IF_ERROR(for_each_record(end - begin, game_at, workers, budget,
                                      [&](Worker& worker, std::size_t i, codec::Bytes record,
                                          const codec::scid::RecordHead& head) {
                                        visit(worker, begin + i, game_at(i), record, head);
                                      }));
      return true;
    };
    return scan_records(database, scan).status();
  };
  return numbers.for_each_part(count, number_at, scan_part);
}

}  // namespace scidfs::fs
