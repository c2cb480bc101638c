// The counts behind summary.txt and the page of a set.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/tables/identities.h"
#include "fs/tables/opening_scores.h"
#include "fs/tables/player_scores.h"
#include "fs/tables/set_facts.h"

namespace scidfs::fs {

struct SetFindings {
  std::size_t games = 0;
  SetFacts facts;
  std::vector<OpeningScore> openings;  // most games first
  std::vector<PlayerScore> players;    // likewise, at most so many as were asked for

  std::size_t memory() const;
};

// Scans a set once. With a subject, scores are the subject's and players its opponents. Errors:
// those of open_set_index(). REQUIRES: `who` is made from the set.
absl::StatusOr<SetFindings> find_out(const GameSet& parts, const Identities& who, Subjects subjects,
                                     std::size_t most_players, const WorkBudget& budget);

}  // namespace scidfs::fs
