// A search for the games of a set by the tags of their records.
#pragma once

#include <absl/status/statusor.h>

#include <span>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/search/facet.h"

namespace scidfs::fs {

// Returns the games of a list that meet all facets, whose conditions are TagPatterns, by the tags
// of GameRecords::for_each_tags(). A game without a known value of a tag meets no pattern but
// `_unknown`, and no negated one. Reads the tags of each game once. Uses all processors if the
// budget is unlimited. Errors: Unavailable if decoding all games, more often for long patterns,
// exceeds the budget; Unimplemented (begin_decoding()); Cancelled; those of GameFile::read().
absl::StatusOr<DeltaList> narrow_by_tags(const Database& database, const GameList& games,
                                         std::span<const Facet* const> facets,
                                         const WorkBudget& budget);

}  // namespace scidfs::fs
