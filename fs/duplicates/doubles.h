// Games of a database, or of several, that are the same.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/common_players.h"
#include "fs/database/game_list.h"
#include "fs/database/game_numbers.h"

namespace scidfs::fs {

// A game that has doubles. Counts of annotations are those of the record, up to 65,535.
struct Double {
  GameIndex game = kNoGame;  // its number
  // The number of another game that may be the same as this one, but that this one's group
  // contradicts; see group_doubles().
  GameIndex other = kNoGame;
  std::uint32_t plies = 0;  // of the main line, as far as it can be decoded
  std::uint16_t comments = 0, variations = 0, nags = 0;
  bool is_longest = false;  // of its group, perhaps with others
  bool is_kept = false;     // the one that represents its group
};

// Shown games of some databases, the parts, that are the same. They have the same persons as White
// and Black. They begin in the same position, and the moves of the shorter game, at least
// kFewestPlies, are the first moves of the longer one. Year, month, day and result are the same as
// far as they are known of both. Names of events, sites and rounds do not count, since sources of
// one game write them differently. double_groups.h describes how games that agree form groups. The
// moves are those of the records: nothing depends on what the index says of them. Games of two
// databases are compared as those of one, and games have the numbers of GameNumbers.
//
// Immutable. Keeps the databases. 20 bytes for each game that has doubles.
class Doubles {
 public:
  // Finds all of them. Decodes each game that agrees with another one in all of these facts that
  // the index has: once, or twice if their moves begin alike. Temporarily takes at most 150 MB,
  // plus 36 bytes for each game that has doubles and 4 for each name of a player. Errors:
  // Unavailable if there are more shown games than the budget allows; Unimplemented if there are
  // more games than numbers; Cancelled; those of GameFile::read().
  static absl::StatusOr<std::shared_ptr<const Doubles>> find(const CommonPlayersPtr& players,
                                                             const WorkBudget& budget);

  const GameNumbers& numbers() const { return numbers_; }
  // Return the groups, sorted by their first game, and their games, group after group, by number.
  std::size_t groups() const { return begins_.size() - 1; }
  std::span<const Double> games() const { return games_; }
  std::span<const Double> group(std::size_t group) const {
    return games().subspan(begins_[group], begins_[group + 1] - begins_[group]);
  }
  // Returns the group of games()[i].
  std::size_t group_of(std::size_t i) const;

  // Returns the games to leave out of a part, ascending: without them, all parts have the shown
  // games with one game of each group.
  const DeltaList& left_out(std::size_t part) const { return left_out_[part]; }

  // Returns the bytes of memory that it takes.
  std::size_t memory() const;

 private:
  Doubles(GameNumbers numbers, std::vector<Double> games, std::vector<std::uint32_t> begins);

  GameNumbers numbers_;
  std::vector<Double> games_;
  std::vector<std::uint32_t> begins_;  // where each group begins in games_, then the end
  std::vector<DeltaList> left_out_;    // by part
};

}  // namespace scidfs::fs
