// Games that may have doubles, judged by the players, dates and results in the index.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_numbers.h"
#include "fs/duplicates/known_facts.h"
#include "fs/tables/player_identity.h"

namespace scidfs::fs {

// Games with fewer moves than this have no doubles: they say too little.
inline constexpr std::uint32_t kFewestPlies = 10;

struct DoubleCandidate {
  std::uint64_t players = 0;  // White's identity in the high half, Black's in the low half
  GameIndex game = kNoGame;   // its number
  KnownFacts facts;
};

// The games of some databases for which another game has the same players. Searched in parts, so
// that the temporary memory does not grow with the database: 32 MiB, plus that of one part.
class DoubleCandidates {
 public:
  // The most games in a part, unless one pair of players has more.
  static constexpr std::size_t kGamesOfPart = std::size_t{1} << 20;

  // Scans all indexes once. The numbers and the identities, of the same databases, must outlive the
  // result. Errors: Cancelled.
  static absl::StatusOr<DoubleCandidates> find(const GameNumbers& numbers,
                                               const PlayerIdentities& identities,
                                               const WorkBudget& budget);

  std::size_t parts() const { return parts_; }
  // Returns all games of some pairs of players that agree with another of these games, and can have
  // kFewestPlies moves. Sorted by players, then by facts, then by number. Scans all indexes
  // once more. Errors: Cancelled.
  absl::StatusOr<std::vector<DoubleCandidate>> part(std::size_t part,
                                                    const WorkBudget& budget) const;

 private:
  class PairFilter;

  DoubleCandidates(const GameNumbers& numbers, const PlayerIdentities& identities,
                   std::shared_ptr<const PairFilter> filter, std::size_t parts)
      : numbers_(&numbers), identities_(&identities), filter_(std::move(filter)), parts_(parts) {}

  const GameNumbers* numbers_;
  const PlayerIdentities* identities_;
  std::shared_ptr<const PairFilter> filter_;
  std::size_t parts_;
};

}  // namespace scidfs::fs
