// The scores of all games of databases in positions of the lines, by their positions files.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/repertoire/side_lines.h"
#include "fs/scan/score.h"

namespace scidfs::fs {

// Returns the scores, as White's, of the games that come to some positions of the lines, in the
// order of these: what RepertoireReplay counts there, without a replay of all games. Takes the
// tables of positions with many games, and replays the games that may come to the others. Nothing
// if a database has no positions file, or it does not know one of the positions. REQUIRES: the set
// has all shown games of its databases. Errors: those of games_that_may_come() and of
// RepertoireReplay::make().
absl::StatusOr<std::optional<std::vector<Score>>> stored_scores(
    const GameSet& all, const std::shared_ptr<const SideLines>& lines,
    std::span<const SideLines::Place> places, const WorkBudget& budget);

}  // namespace scidfs::fs
