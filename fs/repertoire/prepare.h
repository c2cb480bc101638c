// What an opponent's games and the lines of a repertoire have in common.
#pragma once

#include <absl/status/statusor.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/repertoire/replay.h"

namespace scidfs::fs {

// Games against the same lines.
struct PreparedGames {
  std::shared_ptr<const RepertoireReplay> theirs;  // of the opponent, with the other side
  std::shared_ptr<const RepertoireReplay> mine;    // null: it is not known whose they are
  // Returns the scores, as White's, of all games of the database in positions of the lines.
  std::function<absl::StatusOr<std::vector<Score>>(std::span<const SideLines::Place> places)> all;
};

// Return prepare.tsv, a line for each position of the lines that the opponent's games come to:
//   games score my_games my_score all_games all_score line path
// and prepare.txt, the first of them for people. Scores are those of my side. Most games first,
// then in the order of the positions. Errors: Cancelled; those of `all`, which is asked about the
// positions of the text alone.
absl::StatusOr<std::string> prepare_table(const PreparedGames& games, const WorkBudget& budget);
absl::StatusOr<std::string> prepare_text(const PreparedGames& games, std::string_view title,
                                         const WorkBudget& budget);

}  // namespace scidfs::fs
