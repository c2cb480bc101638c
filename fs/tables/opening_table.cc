#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include "codec/eco.h"
#include "fs/scan/set_walk.h"
#include "fs/tables/opening_scores.h"
#include "fs/tables/paths.h"
#include "fs/tables/set_tables.h"

namespace scidfs::fs {

namespace {

using Column = PackedIndex::Column;

absl::StatusOr<std::vector<OpeningScore>> count_openings(const Database& database,
                                                         const SetWalk& walk,
                                                         const Effort& effort) {
  struct Worker {
    OpeningTally tally;
    SetRows rows{Column::Eco, Column::Result, Column::Date, Column::WhiteRating,
                 Column::BlackRating};
  };
  std::vector<Worker> workers(workers_for(effort, walk.stretches()));
  absl::Status status =
      walk.visit_all(workers.size(), effort,
                     [&](std::size_t worker, std::size_t block, std::span<const GameIndex> games) {
                       auto& [tally, rows] = workers[worker];
                       rows.read(database.index(), block, games);
                       tally.add(rows, std::nullopt);
                       return absl::OkStatus();
                     });
  if (!status.ok()) return status;
  for (std::size_t i = 1; i < workers.size(); ++i) workers[0].tally += workers[i].tally;
  return std::move(workers[0].tally).sorted();
}

}  // namespace

absl::StatusOr<std::string> opening_table(const GameSet& set, const Effort& effort) {
  const absl::StatusOr<SetWalk> walk = SetWalk::over(set.list(), kMemoryEntriesOfGame, effort);
  if (!walk.ok()) return walk.status();
  const auto openings = count_openings(*set.database(), *walk, effort);
  if (!openings.ok()) return openings.status();
  const auto known = [](const Average& average) {
    return average.count == 0 ? std::string() : fmt::to_string(average.value());
  };
  std::string text =
      "eco\tname\tgames\twhite_wins\tdraws\tblack_wins\tscore\taverage_year\taverage_elo\tpath\n";
  for (const OpeningScore& opening : *openings) {
    const Score& score = opening.score[codec::Color::White];
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                   codec::eco_base_to_string(opening.eco_base),
                   opening_name(*set.database(), opening.eco_base), score.all(),
                   score[Outcome::Win], score[Outcome::Draw], score[Outcome::Loss],
                   percent_of(score), known(opening.year), known(opening.elo),
                   opening_path(*set.database(), set.part(), opening.eco_base));
  }
  return text;
}

}  // namespace scidfs::fs
