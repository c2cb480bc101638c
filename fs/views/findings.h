// The counts that summary.txt and the page of a set have in common.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/tables/identities.h"
#include "fs/tables/set_findings.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// A set's games, and the findings of them. Views the set.
struct CountedSet {
  GameSet games;
  Identities who;
  bool has_subject = false;
  std::shared_ptr<const SetFindings> findings;  // with the players of a page
};

// Counts the games of a set. The version keeps the findings of a large database, cached results
// those of its large sets. Errors: those of the set's games, and those of find_out().
absl::StatusOr<CountedSet> count_set(const Set& set, const WorkBudget& budget);

}  // namespace scidfs::fs
