// index.tsv, openings.tsv and summary.txt of a set.
#pragma once

#include <absl/status/statusor.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/content/content.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/scan/subject.h"
#include "fs/tables/identities.h"
#include "fs/tables/set_findings.h"

namespace scidfs::fs {

// Opens the lines for the games of a set in the table of its database (fs/database/index_tsv.h),
// after the header line of that table. With several parts, the lines of one follow those of the
// other; numbers are those of their own database, and a last column names that
// (fs/tables/game_names.h). Keeps the set and a few bytes for each hundred lines. Errors:
// Unavailable if that exceeds the budget (twenty games, or a block of the index with some of the
// games, count as the decoding of one); Cancelled; DataLoss if the index file cannot be read,
// FailedPrecondition if it has changed.
absl::StatusOr<std::unique_ptr<Content>> open_set_index(GameSet parts, const WorkBudget& budget);

// Returns openings by ECO code (`_unknown` for games without one), most games first, then by code:
//   eco name games white_wins draws black_wins score average_year average_elo path
// Scores are White's, ratings Elo ratings. Errors: Unavailable if that exceeds the budget (a
// thousand games count as the decoding of one); Cancelled.
absl::StatusOr<std::string> opening_table(const GameSet& parts, const WorkBudget& budget);

// A summary for users to read: the set (`title`), games, then `introduction` as it is, results,
// years, ratings, openings, players (or the subject's opponents), longest and shortest game, with
// the number and path in its database (fs/tables/game_names.h). At most 80 columns wide, but for
// the paths of databases. Errors: those of open_set_index().
// REQUIRES: a set of several parts has players().
struct SummaryHead {
  std::string_view title;
  std::string_view introduction{};
  Identities::Of players = Identities::Of::Spellings;
};
absl::StatusOr<std::string> set_summary(const GameSet& parts, Subjects subjects,
                                        const SummaryHead& head, const WorkBudget& budget);
// Returns the same from the findings of the set, which have at least kSummaryPlayers players or all
// of them. REQUIRES: find_out() made them with `who`, made for `head.players`.
inline constexpr std::size_t kSummaryPlayers = 10;
std::string summary_text(const GameSet& parts, const Identities& who, bool has_subject,
                         const SummaryHead& head, const SetFindings& findings);

}  // namespace scidfs::fs
