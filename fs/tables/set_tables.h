// index.tsv, openings.tsv and summary.txt of a set.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/tables/identities.h"

namespace scidfs::fs {

// Opens the lines for the games of a set in the table of its database (fs/database/index_tsv.h),
// after the header line of that table. Keeps the set and a few bytes for each hundred lines.
// Errors: Unavailable if that exceeds the budget (twenty games, or a block of the index with some
// of the games, count as the decoding of one); Cancelled; DataLoss if the index file cannot be
// read, FailedPrecondition if it has changed.
absl::StatusOr<std::unique_ptr<Content>> open_set_index(GameSet set, const WorkBudget& budget);

// Returns openings by ECO code, most games first, then by code:
//   eco name games white_wins draws black_wins score average_year average_elo path
// Scores are White's; unknown values are empty fields. Errors: Unavailable if that exceeds the
// budget (a thousand games count as the decoding of one); Cancelled.
absl::StatusOr<std::string> opening_table(SetParts parts, const WorkBudget& budget);

// A summary for users to read: the set (`title`), games, then `introduction` as it is, results,
// years, ratings, openings, players (or the subject's opponents), longest and shortest game. At
// most 80 columns wide. Errors: those of open_set_index().
struct SummaryHead {
  std::string_view title;
  std::string_view introduction{};
  Identities::Of players = Identities::Of::Spellings;
};
absl::StatusOr<std::string> set_summary(const GameSet& set, const std::optional<Subject>& subject,
                                        const SummaryHead& head, const WorkBudget& budget);

}  // namespace scidfs::fs
