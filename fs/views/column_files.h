// Files of sets for programs that compute: arrays of NumPy, tables of Parquet, and their manifest.
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "fs/columns/array_files.h"
#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/views/set.h"

namespace scidfs::fs {

// Opens an array (fs/columns/array_files.h). The plies of the games are kept as a cached result.
// Errors: see Snapshot::open().
absl::StatusOr<std::unique_ptr<Content>> open_array_of(const Set& set, ArrayFile file,
                                                       const WorkBudget& budget);

// Open games.parquet, plies.parquet and positions.parquet, whose layouts are kept as cached
// results. Errors as above.
absl::StatusOr<std::unique_ptr<Content>> open_games_parquet(const Set& set,
                                                            const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_plies_parquet(const Set& set,
                                                            const WorkBudget& budget);
absl::StatusOr<std::unique_ptr<Content>> open_positions_parquet(const Set& set,
                                                                const WorkBudget& budget);

// Returns whether the set has games of several databases, so that its arrays tell which.
bool has_databases(const Set& set);

// Opens manifest.json. Errors as above.
absl::StatusOr<std::unique_ptr<Content>> open_manifest(const Set& set, const WorkBudget& budget);

}  // namespace scidfs::fs
