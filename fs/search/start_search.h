// A search for the games of a set by the position in which they begin. The index tells which games
// have a FEN, but some have that of the standard position: their records tell.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <span>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/search/column_filter.h"
#include "fs/search/facet.h"

namespace scidfs::fs {

// Returns a filter for the games that meet a facet, whose conditions are StartKinds, by the index;
// of games with a FEN it keeps those that may meet it.
std::unique_ptr<ColumnFilter> filter_start(const Facet& facet);
// Returns whether that depends on the FEN of a game.
bool depends_on_fen(const Facet& facet);

// Returns the games of a list that meet all facets, of which these filters have kept them. Reads
// the records of games with a FEN alone. If a record does not tell where its game begins, it is not
// the standard position. Uses all processors if the budget is unlimited. Errors: Unavailable if
// decoding these games exceeds the budget; Unimplemented (begin_decoding()); Cancelled; those of
// GameFile::read().
absl::StatusOr<DeltaList> narrow_by_start(const Database& database, const GameList& games,
                                          std::span<const Facet* const> facets,
                                          const WorkBudget& budget);

}  // namespace scidfs::fs
