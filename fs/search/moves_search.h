// A search for the games of a set that meet conditions on their moves.
#pragma once

#include <absl/status/statusor.h>

#include <span>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/search/facet.h"

namespace scidfs::fs {

// Returns the games of a list that meet all facets, which are of FacetStage::Moves. Begins with
// those that the positions file names, if it knows a position that they must come to. First judges
// the games whose index signatures are verified by these signatures (codec/scid/index_signature.h),
// then replays the games that are left. A damaged game meets a facet that is not negated if it does
// so before the damage, and no negated one. Uses all processors if the budget is unlimited. Errors:
// Unavailable if decoding all games once for each alternative, and once more if a facet is negated,
// exceeds the budget; Unimplemented (begin_decoding()); Cancelled; those of GameFile::read().
absl::StatusOr<DeltaList> narrow_by_moves(const Database& database, const GameList& games,
                                          std::span<const Facet* const> facets,
                                          const WorkBudget& budget);

}  // namespace scidfs::fs
