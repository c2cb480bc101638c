#include "fs/views/novelties_file.h"

#include <string>
#include <string_view>

#include "fs/positions/novelties.h"
#include "fs/views/kept_text.h"

namespace scidfs::fs {

absl::StatusOr<std::unique_ptr<Content>> open_novelties(const Set& set, const WorkBudget& budget) {
  constexpr std::string_view kName = "novelties.tsv";
  absl::StatusOr<std::unique_ptr<Content>> table = open_kept_text(
      set, kName, budget, [&](const GameSets& games) { return novelty_table(games, budget); });
  if (absl::IsUnimplemented(table.status())) {
    set.version().searches->rejected_names.note(RejectedNames::Kind::Query, kName,
                                                std::string(table.status().message()));
  }
  return table;
}

}  // namespace scidfs::fs
