// players.tsv, people.tsv and opponents.tsv of a set.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_budget.h"
#include "fs/database/common_players.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/tables/player_scores.h"

namespace scidfs::fs {

// Players with their games, results, years and ratings, most games first, then by name in byte
// order. Takes 48 bytes for each player; reading makes the lines.
//
//   name games white black wins draws losses points score first_year last_year highest_elo path
//   white_score black_score
//
// Unknown values are empty fields: years and Elo ratings of 0, a score without a known result, the
// path of a player with only deleted games. A game of a player against themselves is one game, see
// ScoreByColor. For people, each line continues with facts from the spelling file:
//
//   title country born died id spellings
//
// Spellings are those in the database, separated by `; `.
class PlayerTable {
 public:
  // The rows of the table.
  enum class Rows : std::uint8_t {
    Spellings,           // each name separately
    PersonsOrSpellings,  // each person, and each name that is certainly no person's
    Persons,             // each person, with the known facts
  };
  // Counts all players of the set, each from their own side; or with a subject, the players who met
  // it: then colors, results, points and scores are the subject's against them, years are those of
  // their games, and highest_elo is the opponent's own. Errors: those of open_set_index(), but
  // twenty games or ten players count as the decoding of a game. REQUIRES: a set of several parts
  // has players().
  static absl::StatusOr<std::shared_ptr<const PlayerTable>> make(const GameSet& parts,
                                                                 Subjects subjects, Rows rows,
                                                                 const WorkBudget& budget);

  std::size_t players() const { return scores_.size(); }
  std::size_t memory() const {
    return sizeof *this + scores_.capacity() * sizeof(scores_[0]) +
           ends_->capacity() * sizeof(std::uint64_t);
  }

  // Returns the text: the header line in one section, at most a thousand lines in each other one.
  // REQUIRES: `players` are those that the table was made from.
  const SectionEnds& section_ends() const { return ends_; }
  void append_section(CommonPlayersPtr players, std::size_t section, std::string& out) const;

 private:
  PlayerTable(Rows rows, std::vector<PlayerScore> scores, SectionEnds ends)
      : rows_(rows), scores_(std::move(scores)), ends_(std::move(ends)) {}

  const Rows rows_;
  std::vector<PlayerScore> scores_;
  SectionEnds ends_;
};

// Opens the table of a set as a file. The file keeps the players and the table.
std::unique_ptr<Content> open_player_table(CommonPlayersPtr players,
                                           std::shared_ptr<const PlayerTable> table);
inline std::unique_ptr<Content> open_player_table(DatabasePtr database,
                                                  std::shared_ptr<const PlayerTable> table) {
  return open_player_table(std::make_shared<const CommonPlayers>(std::move(database)),
                           std::move(table));
}

}  // namespace scidfs::fs
