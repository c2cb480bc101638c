// events.tsv: the events of a set.
#pragma once

#include <absl/status/statusor.h>

#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/common_events.h"
#include "fs/database/common_players.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// Returns the events that have games in the set, the earliest first, those without a date last:
//   event site first_date last_date games players average_elo category winner points form path
// Players, winner and form are those of a crosstable of the games in the set
// (fs/crosstable/event_facts.h). Unknown values are empty fields. `common` are the events of the
// databases of the parts; null for one. Errors: Unavailable if that exceeds the budget (ten games
// count as the decoding of one); Cancelled. REQUIRES: a set of several parts has players(), and its
// games are shown.
absl::StatusOr<std::string> event_table(const GameSet& parts, const CommonEvents* common,
                                        const WorkBudget& budget);

// Returns the same of all tournaments of some databases, where persons count as one player.
// `common` are their tournaments; null for one database. REQUIRES: each database has its people and
// its tournaments.
absl::StatusOr<std::string> tournament_table(const CommonPlayersPtr& players,
                                             const CommonEvents* common, const WorkBudget& budget);

}  // namespace scidfs::fs
