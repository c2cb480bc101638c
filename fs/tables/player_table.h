// players.tsv, people.tsv and opponents.tsv of a set.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/sectioned_content.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/cached_result.h"
#include "fs/scan/subject.h"
#include "fs/tables/player_scores.h"

namespace scidfs::fs {

// Players with their games, results, years and ratings, most games first, then by name in byte
// order. 48 bytes a player; lines are made when they are read.
//
//   name games white black wins draws losses points score first_year last_year highest_elo path
//   white_score black_score
//
// What is not known is an empty field: years and ratings of 0, a score without a known result, the
// path of a player who has deleted games alone. A game of a player against himself is one game, see
// ScoreByColor. Of people the lines go on with what the spelling file says:
//
//   title country born died id spellings
//
// Spellings are those of the database, with `; ` between them.
class PlayerTable : public CachedResult {
 public:
  // Whom it lists.
  enum class Rows : std::uint8_t {
    Spellings,           // each name for itself
    PersonsOrSpellings,  // each person, and each name that is nobody's for sure
    Persons,             // each person, with what is known of him
  };
  // Of all players of the set, each as he played; or with `subject` of those who played against
  // it: colours, results, points and scores are then those of the subject against them, years those
  // of their games, and highest_elo is the opponent's own. Errors: as open_set_index(), but twenty
  // games or ten players count as the decoding of a game.
  static absl::StatusOr<std::shared_ptr<const PlayerTable>> make(
      const GameSet& set, const std::optional<Subject>& subject, Rows rows,
      const WorkBudget& budget);

  std::size_t players() const { return scores_.size(); }
  std::size_t memory() const override {
    return sizeof *this + scores_.capacity() * sizeof(scores_[0]) +
           ends_->capacity() * sizeof(std::uint64_t);
  }

  // The text: the header line and a thousand lines or fewer in each section. REQUIRES: the database
  // is the one that the table was made from.
  const SectionEnds& section_ends() const { return ends_; }
  void append_section(const Database& database, std::size_t section, std::string& out) const;

 private:
  PlayerTable(Rows rows, std::vector<PlayerScore> scores, SectionEnds ends)
      : rows_(rows), scores_(std::move(scores)), ends_(std::move(ends)) {}

  const Rows rows_;
  std::vector<PlayerScore> scores_;
  SectionEnds ends_;
};

// The table as a file. Keeps what it is made from.
std::unique_ptr<Content> open_player_table(DatabasePtr database,
                                           std::shared_ptr<const PlayerTable> table);

}  // namespace scidfs::fs
