// Makes the positions file of a database.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Gives a database its positions file (Database::positions()): one that is there, or one that this
// makes and saves: of local databases for which is_worth_storing(). Makes none while another
// process does so, in a remote folder, or where it has no room besides the index file of the
// database, which status.txt says. For 10
// million games that takes a minute of two processors and 450 MB of memory; the runs of games are
// meanwhile in nameless files of the cache folder, 16 bytes for each. Failures are warnings in the
// log. REQUIRES: all sizes are known.
void keep_positions(const Database& database, const WorkBudget& budget);

}  // namespace scidfs::fs
