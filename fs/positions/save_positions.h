// Makes the positions file of a database.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/status.h>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// Gives a database its positions file (Database::positions()): one that is there, or one that this
// makes and saves: of databases for which is_worth_storing(). Makes one at a time, waiting for
// other threads and processes that do so, and none in a remote cache folder, or where it has no
// room besides the index file of the database, which status.txt says. For 10 million games that
// takes a minute of two processors and 450 MB of memory; the runs of games are meanwhile in
// nameless files of the cache folder, 16 bytes for each, and so is a copy of a game file on a
// server, which is read once. Failures are warnings in the log. REQUIRES: all sizes are known.
void keep_positions(const Database& database, const WorkBudget& budget);

}  // namespace scidfs::fs
