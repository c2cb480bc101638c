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

// The lines of the games of a set in the table of its database (fs/database/index_tsv.h), after its
// header line. Keeps a few bytes for each hundred lines besides the set. Errors: Unavailable if
// that wants more effort (twenty games count as the decoding of one, and so does each block of the
// index that some of them are in); Cancelled; DataLoss and FailedPrecondition if the index file
// cannot be read or is not what it was.
absl::StatusOr<std::unique_ptr<Content>> open_set_index(GameSet set, const WorkBudget& budget);

// Openings by ECO code, most games first, then by code:
//   eco name games white_wins draws black_wins score average_year average_elo path
// Scores are White's; what is not known is an empty field. Errors: Unavailable if that wants more
// effort (a thousand games count as the decoding of one); Cancelled.
absl::StatusOr<std::string> opening_table(const GameSet& set, const WorkBudget& budget);

// For people: what the set is (`title`), games, then `introduction` as it is, results, years,
// ratings, openings, players (or the opponents of the subject), longest and shortest game. At most
// 80 columns wide. Errors: as open_set_index().
struct SummaryHead {
  std::string_view title;
  std::string_view introduction{};
  Identities::Of players = Identities::Of::Spellings;
};
absl::StatusOr<std::string> set_summary(const GameSet& set, const std::optional<Subject>& subject,
                                        const SummaryHead& head, const WorkBudget& budget);

}  // namespace scidfs::fs
