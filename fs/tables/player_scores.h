// How the players of a set have played.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/status.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/score.h"
#include "fs/scan/subject.h"
#include "fs/tables/identities.h"

namespace scidfs::fs {

// Of one player.
struct PlayerScore {
  std::uint32_t player = 0;  // a number of Identities
  ScoreByColor score{};
  std::uint16_t first_year = 0, last_year = 0;  // 0: none is known
  std::uint16_t highest_elo = 0;                // 0: none
};

// Counts the players of a set; with `subject` its opponents, where colours and results are the
// subject's and highest_elo is the opponent's. 48 bytes a player: of the database if the games are
// many, else of the games.
class PlayerTally {
 public:
  // Of so many games. The subject must outlive it.
  PlayerTally(const Identities& who, std::size_t games, const std::optional<Subject>& subject);

  // How many threads of so many may add at once: all or one.
  std::size_t workers(std::size_t wanted) const { return in_table_ ? wanted : 1; }
  // Takes players, their ratings, results and dates.
  void add(const ColumnBatch& rows);
  // Of all who have games, by id.
  std::vector<PlayerScore> scores() &&;

 private:
  struct Appearance;
  void add_by_id(const Appearance& appearance);

  const Identities who_;
  const bool in_table_;
  const std::optional<Subject>& subject_;
  // In a table by id; else in the order in which they appear, found by id.
  std::vector<PlayerScore> scores_;
  absl::flat_hash_map<std::uint32_t, std::uint32_t> place_of_;
};

// Sorts by games, most first, then by name in byte order, then by id. Cancelled. REQUIRES: sorted
// by id.
absl::Status sort_by_games(const Identities& who, const WorkBudget& budget,
                           std::vector<PlayerScore>& scores);
// The same for the first `count` alone; the others come after them in any order.
void sort_first(const Identities& who, std::size_t count, std::vector<PlayerScore>& scores);

}  // namespace scidfs::fs
