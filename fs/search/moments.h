// moments.epd: the first position of each game that meets a condition on moves.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/search/facet.h"
#include "fs/search/search.h"

namespace scidfs::fs {

// Returns the condition that decides about the positions in the answer to a query: of those on
// moves that are not negated, the last one in the canonical order (canonical_text()). Returns
// nothing if there is none.
std::optional<Facet> moment_of(FacetGroups groups);

// Opens the positions in which the games first meet a facet, each as the line that it has in
// `fens/` (codec/epd.h), in the order of the parts, with game_id() in `id`. Games that do not meet
// it have no line. Seeks the positions of all games once to find the size, and again of those that
// are read. Errors: Unavailable if decoding the games twice exceeds the budget; Unimplemented
// (begin_decoding()); Cancelled; those of GameFile::read(). REQUIRES: moment_of() returned the
// facet.
absl::StatusOr<std::unique_ptr<Content>> open_moments(GameSet parts, Facet facet,
                                                      const WorkBudget& budget);

}  // namespace scidfs::fs
