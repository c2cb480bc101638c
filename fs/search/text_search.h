// A search for the games of a set by the words in their comments.
#pragma once

#include <absl/status/statusor.h>

#include <span>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/search/facet.h"

namespace scidfs::fs {

// Returns the games of a list that meet all facets, whose conditions are CommentPatterns. A record
// that does not lie in the game file meets none, and no negated one. Uses all processors if the
// budget is unlimited. Errors: Unavailable if decoding all games, once or more often for each facet
// (CommentPattern::cost()), exceeds the budget; Unimplemented (begin_decoding()); Cancelled; those
// of GameFile::read().
absl::StatusOr<DeltaList> narrow_by_text(const Database& database, const GameList& games,
                                         std::span<const Facet* const> facets,
                                         const WorkBudget& budget);

}  // namespace scidfs::fs
