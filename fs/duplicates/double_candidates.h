// Which games may have doubles, by what the index says of players, dates and results.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/duplicates/known_facts.h"
#include "fs/tables/player_identity.h"

namespace scidfs::fs {

// Games with fewer moves than this are nobody's doubles: they say too little.
inline constexpr std::uint32_t kFewestPlies = 10;

struct DoubleCandidate {
  std::uint64_t players = 0;  // who has White, and below who has Black
  GameIndex game = kNoGame;
  KnownFacts facts;
};

// The games of a database that have the players of another game. Looked for in parts, so that
// the room for it does not grow with the database: 32 MiB, and what a part takes.
class DoubleCandidates {
 public:
  // Most of a part have; there may be more where two players have played more than that.
  static constexpr std::size_t kGamesOfPart = std::size_t{1} << 20;

  // Goes through the index once. Views the database and the identities. Errors: Cancelled.
  static absl::StatusOr<DoubleCandidates> find(const Database& database,
                                               PlayerIdentities identities,
                                               const WorkBudget& budget);

  std::size_t parts() const { return parts_; }
  // All games of some players that agree with one of these, and can have kFewestPlies moves. By
  // players, then by facts, then by number. Goes through the index once more. Errors: Cancelled.
  absl::StatusOr<std::vector<DoubleCandidate>> part(std::size_t part,
                                                    const WorkBudget& budget) const;

 private:
  class PairFilter;

  DoubleCandidates(const Database& database, PlayerIdentities identities,
                   std::shared_ptr<const PairFilter> filter, std::size_t parts)
      : database_(&database), identities_(identities), filter_(std::move(filter)), parts_(parts) {}

  const Database* database_;
  PlayerIdentities identities_;
  std::shared_ptr<const PairFilter> filter_;
  std::size_t parts_;
};

}  // namespace scidfs::fs
