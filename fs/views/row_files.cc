#include "fs/views/row_files.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "fs/base/status_macros.h"
#include "fs/positions/eval_table.h"
#include "fs/positions/novelties.h"
#include "fs/positions/ply_table.h"
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

absl::StatusOr<std::unique_ptr<Content>> open_ply_text(const Set& set, PlyText text,
                                                       const WorkBudget& budget) {
  ASSIGN_OR_RETURN(const GameSet games, set.games(budget));
  ASSIGN_OR_RETURN(
      const std::shared_ptr<const PlySizes> sizes,
      set.version().searches->results.get<PlySizes>(
          fmt::format("{}:{}:{}", set.version().id, static_cast<unsigned>(text), set.answer_key()),
          budget, [&] { return measure_plies(games, text, budget); }));
  return open_plies(games, text, *sizes, budget);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Content>> open_ply_table(const Set& set, const WorkBudget& budget) {
  return open_ply_text(set, PlyText::Table, budget);
}

absl::StatusOr<std::unique_ptr<Content>> open_uci_moves(const Set& set, const WorkBudget& budget) {
  return open_ply_text(set, PlyText::Uci, budget);
}

absl::StatusOr<std::unique_ptr<Content>> open_novelties(const Set& set, const WorkBudget& budget) {
  return open_rows(set, "novelties.tsv", budget,
                   [&](const GameSet& games) { return novelty_table(games, budget); });
}

absl::StatusOr<std::unique_ptr<Content>> open_evals(const Set& set, const WorkBudget& budget) {
  return open_rows(set, "evals.tsv", budget,
                   [&](const GameSet& games) { return eval_table(games, budget); });
}

}  // namespace scidfs::fs
