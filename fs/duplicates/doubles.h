// Games of a database that are the same.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/tables/player_identity.h"

namespace scidfs::fs {

// A game that has doubles. Counts of notes are those of the record, to 65,535.
struct Double {
  GameIndex game = kNoGame;
  // Another game that this one may be as well, which its group contradicts; see group_doubles().
  GameIndex other = kNoGame;
  std::uint32_t plies = 0;  // of the main line, as far as it can be decoded
  std::uint16_t comments = 0, variations = 0, nags = 0;
  bool is_longest = false;  // of its group, perhaps with others
  bool is_kept = false;     // the one of its group that stands for all
};

// Shown games that are the same: the same person has White, the same Black; they start alike, and
// the moves of the shorter one, at least kFewestPlies, are the first moves of the longer one; year,
// month, day and result are the same as far as they are known of both. Names of events, sites and
// rounds, which sources of one game write differently, say nothing. How games that agree make
// groups: double_groups.h. The moves are those of the records: nothing rests on what the index says
// of them.
//
// Immutable. 20 bytes for each game that has doubles.
class Doubles {
 public:
  // Looks for all of them. Decodes games that agree with another one in all that the index has of
  // the above, once or, where moves begin alike, twice; takes 150 MB at most for a time, and 32
  // bytes for each game that has doubles. Errors: Unavailable if there are more shown games than
  // the effort allows; Cancelled; those of GameFile::read().
  static absl::StatusOr<std::shared_ptr<const Doubles>> find(const Database& database,
                                                             PlayerIdentities identities,
                                                             const WorkBudget& budget);

  // Groups by their first game, and the games of each in database order; one after the other.
  std::size_t groups() const { return begins_.size() - 1; }
  std::span<const Double> games() const { return games_; }
  std::span<const Double> group(std::size_t group) const {
    return games().subspan(begins_[group], begins_[group + 1] - begins_[group]);
  }
  // The group of games()[i].
  std::size_t group_of(std::size_t i) const;

  // What is left of the shown games with one of each group: all but these, ascending.
  const DeltaList& left_out() const { return left_out_; }

  // Bytes of memory that keeping it costs.
  std::size_t memory() const;

 private:
  Doubles(const Database& database, std::vector<Double> games, std::vector<std::uint32_t> begins);

  std::vector<Double> games_;
  std::vector<std::uint32_t> begins_;  // of each group in games_, and their end
  DeltaList left_out_;
};

}  // namespace scidfs::fs
