// Which games of a set meet conditions on their moves.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <span>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/search/moves_filter.h"

namespace scidfs::fs {

// The games of a list that meet all tests. Games whose marks may be believed are judged by these
// first (codec/scid/index_signature.h); what is left is replayed. With a whole effort on all
// processors. Errors: Unavailable if the decoding of all games, once for each test, wants more
// effort; Unimplemented (begin_decoding()); Cancelled; those of GameFile::read().
absl::StatusOr<DeltaList> narrow_by_moves(const Database& database, const GameList& games,
                                          std::span<const std::unique_ptr<MovesFilter>> tests,
                                          const WorkBudget& budget);

}  // namespace scidfs::fs
