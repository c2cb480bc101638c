// What the decoding of games takes.
#pragma once

#include <absl/status/status.h>

#include <algorithm>
#include <cstddef>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// As how many games of an effort some records count, one or many: as what they are, or as so many
// usual games as have as many bytes.
constexpr std::size_t games_of_records(std::size_t records, std::size_t bytes) {
  constexpr std::size_t kBytesOfGame = 256;
  return std::max(records, bytes / kBytesOfGame);
}
std::size_t games_of_record(const Database& database, GameIndex game);

// Takes what games count off an effort, one game after the other.
class DecodingCost {
 public:
  // Each game is decoded so many times.
  explicit DecodingCost(const WorkBudget& budget, std::size_t times = 1)
      : effort_(budget), times_(times) {}

  // False: that is too much.
  bool add(std::size_t record_bytes) {
    bytes_ += record_bytes;
    const std::size_t games = games_of_records(++records_, bytes_);
    const std::size_t more = games - games_;
    games_ = games;
    return effort_.spend(times_ * more);
  }

 private:
  const WorkBudget& effort_;
  const std::size_t times_;
  std::size_t records_ = 0;
  std::size_t bytes_ = 0;
  std::size_t games_ = 0;
};

// To be called before the games of a list are decoded, each so many times: takes that off the
// effort, and goes through no more of the list than it allows. Errors: Unavailable if it is too
// much; Unimplemented if the games share records so that nobody may have all of them
// (Database::most_record_bytes()).
absl::Status begin_decoding(const Database& database, const GameList& games,
                            const WorkBudget& budget, std::size_t times = 1);
// The second of these errors alone: for whatever is made of texts of which the sizes are known.
absl::Status check_shared_records(const Database& database, const GameList& games);

// Looks at an effort now and then, for one thread that decodes games.
class EffortWatch {
 public:
  explicit EffortWatch(const WorkBudget& budget) : effort_(&budget) {}

  // Whether the effort is over, seen at the latest some milliseconds after that. To be asked before
  // each record, of which `bytes` are decoded.
  bool is_over(std::size_t bytes) {
    constexpr std::size_t kBytesOfAny = 64;
    bytes_ += bytes + kBytesOfAny;
    if (bytes_ < kBetween) return false;
    bytes_ = 0;
    return effort_->is_cancelled();
  }

 private:
  static constexpr std::size_t kBetween = std::size_t{8} << 10;  // bytes, two looks

  const WorkBudget* effort_;
  std::size_t bytes_ = kBetween;
};

}  // namespace scidfs::fs
