// Finds out the sizes of all games.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fs/base/progress.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Computes what is not known yet of the sizes of these databases, on `threads` threads (0: one for
// each processor; more for those that are far), until all are known or `is_over` says so; that is
// asked by any of them. Games that cannot be read are lines in the log. `progress` is called by the
// calling thread.
void compute_sizes(const std::vector<std::shared_ptr<const Database>>& databases, unsigned threads,
                   const std::function<bool()>& is_over, Progress progress);

}  // namespace scidfs::fs
