// years.tsv of a set.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codec/target_position.h"
#include "codec/types.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/positions/move_table.h"

namespace scidfs::fs {

// The counts of one thread: the games of each year, and the moves that they play in a position.
class YearTally {
 public:
  YearTally() : years_(ColumnBatch::kYears) {}

  void add(const MoveTally::Game& game);
  // Counts a game that comes to the position and continues with `next`, or ends there.
  void add(const MoveTally::Game& game, const std::optional<codec::Move>& next, codec::Color) {
    add(game);
    if (next.has_value()) add_move(game.year, *next, 1);
  }
  YearTally& operator+=(const YearTally& other);

  // Returns the text. `position`: where the moves were played; null if none have been added.
  std::string table(const codec::Position* position) const;

 private:
  struct Year {
    Score score;  // of White
    Average elo;  // of both sides
  };
  struct Played {
    codec::Move move;
    std::uint32_t games = 0;
  };

  void add_move(std::uint32_t year, const codec::Move& move, std::uint32_t games);
  std::vector<std::string> best_moves(const codec::Position& position) const;

  std::vector<Year> years_;                           // the games of unknown years first
  absl::flat_hash_map<std::uint32_t, Played> moves_;  // by year and number_of()
};

// Returns the years that have games, ascending, games without a year (`_unknown`) last:
//   year games white_wins draws black_wins score average_elo best_move
// Scores are White's, ratings the Elo ratings of both sides. `best_move` is the most frequent move
// in the position that all games come to (of several the first by SAN), as SAN without check marks;
// it is empty without a position. Errors: those of opening_table(), or with a position those of
// moves_played().
absl::StatusOr<std::string> year_table(const GameSet& parts, const WorkBudget& budget);
absl::StatusOr<std::string> year_table(const GameSet& parts, const codec::TargetPosition& position,
                                       const WorkBudget& budget);

}  // namespace scidfs::fs
