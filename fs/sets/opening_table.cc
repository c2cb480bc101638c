#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "codec/eco.h"
#include "fs/sets/opening_scores.h"
#include "fs/sets/paths.h"
#include "fs/sets/set_tables.h"
#include "fs/sets/set_walk.h"

namespace scidfs::fs {

absl::StatusOr<std::string> opening_table(const GameSet& set, const Effort& effort) {
  const absl::StatusOr<SetWalk> walk =
      SetWalk::over(set.list(), entries_allowed(effort, kMemoryEntriesOfGame), effort);
  if (!walk.ok()) return walk.status();
  const auto openings = opening_scores(*set.database(), *walk, std::nullopt, effort);
  if (!openings.ok()) return openings.status();
  const auto known = [](const Average& average) {
    return average.count == 0 ? std::string() : fmt::to_string(average.value());
  };
  std::string text =
      "eco\tname\tgames\twhite_wins\tdraws\tblack_wins\tscore\taverage_year\taverage_elo\tpath\n";
  for (const OpeningScore& opening : *openings) {
    const Score& score = opening.score;
    fmt::format_to(std::back_inserter(text), "{}\t\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                   codec::eco_base_to_string(opening.eco_base), score.all(), score[Outcome::Win],
                   score[Outcome::Draw], score[Outcome::Loss], percent_of(score),
                   known(opening.year), known(opening.elo),
                   opening_path(*set.database(), set.part(), opening.eco_base));
  }
  return text;
}

}  // namespace scidfs::fs
