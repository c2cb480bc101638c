// The cost of decoding games.
#pragma once

#include <absl/status/status.h>

#include <algorithm>
#include <cstddef>

#include "fs/content/work_budget.h"
#include "fs/content/work_cost.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// Returns how many games of a budget some records count as: their number, or the number of usual
// games that have as many bytes, if that is more.
constexpr std::size_t games_of_records(std::size_t records, std::size_t bytes) {
  return std::max(records, bytes / kRecordBytesOfGame);
}
std::size_t games_of_record(const Database& database, GameIndex game);

// Takes the cost of games off a budget, one game after the other.
class DecodingCost {
 public:
  // `times`: how often each game is decoded.
  explicit DecodingCost(const WorkBudget& budget, std::size_t times = 1)
      : budget_(budget), times_(times) {}

  // Returns false if that is too much.
  bool add(std::size_t record_bytes) {
    bytes_ += record_bytes;
    const std::size_t games = games_of_records(++records_, bytes_);
    const std::size_t more = games - games_;
    games_ = games;
    return budget_.spend(times_ * more);
  }

 private:
  const WorkBudget& budget_;
  const std::size_t times_;
  std::size_t records_ = 0;
  std::size_t bytes_ = 0;
  std::size_t games_ = 0;
};

// Takes the cost of decoding the games of a list, each `times` times, off the budget. Call this
// before decoding. Reads only as much of the list as the budget allows. Errors: Unavailable if it
// is too much; Unimplemented if the games share records so that no file may have all of them
// (DatabaseFiles::most_record_bytes()).
absl::Status begin_decoding(const Database& database, const GameList& games,
                            const WorkBudget& budget, std::size_t times = 1);
// Returns only the second of these errors: for content made of texts whose sizes are known.
absl::Status check_shared_records(const Database& database, const GameList& games);

// Checks a budget periodically, for one thread that decodes games.
class BudgetWatch {
 public:
  explicit BudgetWatch(const WorkBudget& budget) : budget_(&budget) {}

  // Returns whether the budget is cancelled, at the latest some milliseconds after that. Call this
  // before each record, of which `bytes` are decoded.
  bool is_cancelled(std::size_t bytes) {
    constexpr std::size_t kBytesOfAny = 64;
    bytes_ += bytes + kBytesOfAny;
    if (bytes_ < kBetween) return false;
    bytes_ = 0;
    return budget_->is_cancelled();
  }

 private:
  static constexpr std::size_t kBetween = std::size_t{8} << 10;  // bytes between two checks

  const WorkBudget* budget_;
  std::size_t bytes_ = kBetween;
};

}  // namespace scidfs::fs
