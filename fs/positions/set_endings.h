// The endings that the games of a set come to (codec/ending_classes.h), and endings.tsv.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "codec/ending_classes.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_list.h"
#include "fs/database/game_set.h"
#include "fs/scan/score.h"
#include "fs/tables/opening_scores.h"

namespace scidfs::fs {

// The games of a class of endings.
struct EndingScore {
  Score score;    // of White
  Average plies;  // from where the game comes to it to its end

  EndingScore& operator+=(const EndingScore& other) {
    score += other.score;
    plies += other.plies;
    return *this;
  }
};

// What is found about the games of one database; or the counts of several, added up. Immutable,
// once it is complete.
class SetEndings {
 public:
  // By class.
  using Scores = std::array<EndingScore, codec::kEndings>;
  using Lists = std::array<DeltaList, codec::kEndings>;

  // Makes the counts of no games.
  SetEndings() = default;
  // Finds the endings of all classes in one pass over the games. A game comes to an ending if two
  // consecutive positions of its main line are of the class, as far as the walk goes
  // (codec/scid/walk.h). Leaves out games that have too many pieces at their end, by verified index
  // signatures. Errors: Unavailable if decoding that many games exceeds the budget; Unimplemented
  // (begin_decoding()); Cancelled; those of GameFile::read().
  static absl::StatusOr<std::shared_ptr<const SetEndings>> find(const DatabaseGames& set,
                                                                const WorkBudget& budget);
  // Adds the counts of games of another database, whose lists stay there.
  SetEndings& operator+=(const SetEndings& part);

  // Returns the games that come to an ending: of those that find() looked at.
  const DeltaList& games(std::size_t ending) const { return lists_[ending]; }
  // Returns the classes that have games, those of most games first:
  //   class games share white_wins draws black_wins score average_plies path
  // Scores are White's; the share is that of the games of the set.
  std::string table() const;

  // Returns the bytes of memory that keeping this costs.
  std::size_t memory() const;

 private:
  std::size_t games_ = 0;  // of the set
  Scores scores_{};
  Lists lists_{};
};

}  // namespace scidfs::fs
