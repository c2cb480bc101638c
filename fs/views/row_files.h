// Tables of a set with a line for each game or move: only sets of few games have them.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Open novelties.tsv and evals.tsv of a set, which are kept as cached results. A set with too many
// games is added to the rejected names. Errors: see Snapshot::open().
absl::StatusOr<std::unique_ptr<Content>> open_novelties(const Set& set, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_evals(const Set& set, const WorkBudget& budget);

// Open plies.tsv and games.uci of a set, whose sizes are kept as cached results. Errors as above.
absl::StatusOr<std::unique_ptr<Content>> open_ply_table(const Set& set, const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_uci_moves(const Set& set, const WorkBudget& budget);

}  // namespace scidfs::fs
