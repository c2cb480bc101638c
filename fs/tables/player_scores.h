// Scores of the players of a set.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/status.h>

#include <array>
#include <cstdint>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/score.h"
#include "fs/scan/subject.h"
#include "fs/tables/identities.h"

namespace scidfs::fs {

// The score of one player.
struct PlayerScore {
  std::uint32_t player = 0;  // a number of Identities
  ScoreByColor score{};
  std::uint16_t first_year = 0, last_year = 0;  // 0: none is known
  std::uint16_t highest_elo = 0;                // 0: none
};

// Counts of the players of a set; with `subject`, of its opponents: then colors and results are the
// subject's, and highest_elo is the opponent's. Takes 48 bytes for each player: of the database if
// there are many games, else of the games.
class PlayerTally {
 public:
  // Returns the bytes of memory that counting takes at most.
  static std::size_t memory(const Identities& who, std::size_t games);
  // Prepares to count `games` games. The subjects must outlive this.
  PlayerTally(const Identities& who, std::size_t games, Subjects subjects);

  // Returns how many of the `wanted` threads may add at the same time: all or one.
  std::size_t workers(std::size_t wanted) const { return in_table_ ? wanted : 1; }
  // Adds games of a part by their players, ratings, results and dates.
  void add(std::size_t part, const ColumnBatch& rows);
  // Returns the scores of all players with games, by id.
  std::vector<PlayerScore> scores() &&;

 private:
  struct Appearance;
  void add_by_id(const Appearance& appearance);

  const Identities who_;
  const bool in_table_;
  const Subjects subjects_;
  // Indexed by id if `in_table_`; else in the order of appearance, with place_of_ as the index.
  std::vector<PlayerScore> scores_;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> place_of_;
};

// Sorts by games, most first, then by name in byte order, then by id. Errors: Cancelled. REQUIRES:
// `scores` is sorted by id.
absl::Status sort_by_games(const Identities& who, const WorkBudget& budget,
                           std::vector<PlayerScore>& scores);
// Sorts only the first `count` in this way; the others follow in any order.
void sort_first(const Identities& who, std::size_t count, std::vector<PlayerScore>& scores);

}  // namespace scidfs::fs
