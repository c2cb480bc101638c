// players.tsv and opponents.tsv of a set.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>

#include "fs/content/content.h"
#include "fs/content/effort.h"
#include "fs/database/game_set.h"
#include "fs/sets/answer.h"
#include "fs/sets/subject.h"

namespace scidfs::fs {

// Players with their games, results, years and ratings, most games first, then by name in byte
// order. Tens of bytes a player; lines are made when they are read.
//
//   name games white black wins draws losses points score first_year last_year highest_elo path
class PlayerTable : public Answer {
 public:
  // Of all players of the set, each as he played; or with `subject` of those who played against
  // it: colours, results, points and score are then those of the subject against them, years those
  // of their games, and highest_elo is the opponent's own. Errors: as open_set_index().
  static absl::StatusOr<std::shared_ptr<const PlayerTable>> make(
      const GameSet& set, const std::optional<Subject>& subject, const Effort& effort);
};

// The table as a file. Keeps what it is made from.
std::unique_ptr<Content> open_player_table(DatabasePtr database,
                                           std::shared_ptr<const PlayerTable> table);

}  // namespace scidfs::fs
