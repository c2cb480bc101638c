#include "fs/views/row_files.h"

#include <string>
#include <string_view>

#include "fs/positions/eval_table.h"
#include "fs/positions/novelties.h"
#include "fs/views/kept_text.h"

namespace scidfs::fs {
namespace {

template <class MakeTable>
absl::StatusOr<std::unique_ptr<Content>> open_rows(const Set& set, std::string_view name,
                                                   const WorkBudget& budget,
                                                   const MakeTable& make) {
  absl::StatusOr<std::unique_ptr<Content>> table = open_kept_text(set, name, budget, make);
  if (absl::IsUnimplemented(table.status())) {
    set.version().searches->rejected_names.note(RejectedNames::Kind::Query, name,
                                                std::string(table.status().message()));
  }
  return table;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_novelties(const Set& set, const WorkBudget& budget) {
  return open_rows(set, "novelties.tsv", budget,
                   [&](const GameSets& games) { return novelty_table(games, budget); });
}

absl::StatusOr<std::unique_ptr<Content>> open_evals(const Set& set, const WorkBudget& budget) {
  return open_rows(set, "evals.tsv", budget,
                   [&](const GameSets& games) { return eval_table(games, budget); });
}

}  // namespace scidfs::fs
