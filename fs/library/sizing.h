// Computes the sizes of all games.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fs/base/progress.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Computes the unknown sizes of games in these databases, until all are known or `is_cancelled`
// returns true. Skips databases whose games share records. Uses `threads` threads (0: one for each
// processor; more for remote databases), any of which calls `is_cancelled`. Logs games that cannot
// be read. The calling thread calls `progress`.
void compute_sizes(const std::vector<std::shared_ptr<const Database>>& databases, unsigned threads,
                   const std::function<bool()>& is_cancelled, Progress progress);

}  // namespace scidfs::fs
