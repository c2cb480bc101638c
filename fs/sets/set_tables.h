// index.tsv, openings.tsv and summary.txt of a set.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/effort.h"
#include "fs/database/game_set.h"
#include "fs/sets/subject.h"

namespace scidfs::fs {

// The lines of the games of a set in the table of its database (fs/database/index_tsv.h), after its
// header line. Errors: Unavailable if that wants more effort (the look at a thousand entries of the
// index in memory counts as the decoding of a game, that at twenty in the file too); Cancelled;
// DataLoss and FailedPrecondition if the index file cannot be read or is not what it was.
absl::StatusOr<std::unique_ptr<Content>> open_set_index(GameSet set, const Effort& effort);

// Openings by ECO code, most games first, then by code:
//   eco name games white_wins draws black_wins score average_year average_elo path
// Errors: as open_set_index().
absl::StatusOr<std::string> opening_table(const GameSet& set, const Effort& effort);

// For people: what the set is (`title`), games, results, years, ratings, openings, players (or the
// opponents of the subject), longest and shortest game. Errors: as open_set_index().
absl::StatusOr<std::string> set_summary(const GameSet& set, const std::optional<Subject>& subject,
                                        std::string_view title, const Effort& effort);

}  // namespace scidfs::fs
