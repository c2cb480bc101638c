// Makes tables of sets of games on all processors: wall time, and the time of all threads together.
// Takes the options of Google Benchmark.
//
// Other arguments are databases (paths of index files). Default: masters of the shared data if it
// exists, else the sample.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fs/database/database.h"
#include "fs/tables/player_table.h"
#include "fs/tables/set_tables.h"
#include "tests/support/files.h"

namespace scidfs::bench {
namespace {

using fs::DatabaseGames;
using fs::DatabasePtr;
using fs::GameIndex;
using fs::WorkBudget;

// Sum of the sizes of the tables of a set; each table is one benchmark.
struct Sets {
  explicit Sets(DatabasePtr opened)
      : database(std::move(opened)),
        all(database, database->shown()),
        million(some_games(std::size_t{1'000'000})),
        small(player_with_games(20)) {
    database->lists().warm_up();
  }

  // Up to so many games, spread over the database.
  DatabaseGames some_games(std::size_t count) const {
    const GameIndex step =
        std::max<GameIndex>(1, static_cast<GameIndex>(database->games() / count));
    fs::DeltaList games;
    for (GameIndex game = 0; game < database->games(); game += step) games.add(game);
    return {database, std::move(games)};
  }
  // All games of the first player with at least so many.
  DatabaseGames player_with_games(std::size_t count) {
    const auto& lists = database->lists().player_games();
    for (subject = 0; subject < lists.keys(); ++subject) {
      const std::size_t games = lists.games(subject).count(2 * count);
      if (games >= count && games < 2 * count) break;
    }
    return {database, lists.games(subject)};
  }

  DatabasePtr database;
  DatabaseGames all;
  DatabaseGames million;
  std::uint32_t subject = 0;
  DatabaseGames small;
};

template <class Value>
Value checked(absl::StatusOr<Value> value) {
  if (!value.ok()) {
    fmt::print(stderr, "{}\n", std::string(value.status().message()));
    std::exit(1);
  }
  return *std::move(value);
}

using Query = std::size_t (*)(const Sets& sets, const WorkBudget& budget);

std::size_t players_of(const DatabaseGames& set, const std::optional<fs::Subject>& subject,
                       const WorkBudget& budget) {
  return checked(fs::PlayerTable::make(set, subject, fs::PlayerTable::Rows::Spellings, budget))
      ->players();
}

std::optional<fs::Subject> subject_of(const Sets& sets) {
  return fs::Subject{.players = fs::NameIds(sets.subject)};
}

const std::pair<const char*, Query> kQueries[] = {
    {"players/all",
     [](const Sets& sets, const WorkBudget& budget) {
       return players_of(sets.all, std::nullopt, budget);
     }},
    {"players/million",
     [](const Sets& sets, const WorkBudget& budget) {
       return players_of(sets.million, std::nullopt, budget);
     }},
    {"summary+openings/all",
     [](const Sets& sets, const WorkBudget& budget) {
       return checked(fs::set_summary(sets.all, std::nullopt, {.title = "all"}, budget)).size() +
              checked(fs::opening_table(sets.all, budget)).size();
     }},
    {"summary+openings/million",
     [](const Sets& sets, const WorkBudget& budget) {
       return checked(fs::set_summary(sets.million, std::nullopt, {.title = "million"}, budget))
                  .size() +
              checked(fs::opening_table(sets.million, budget)).size();
     }},
    {"openings/million",
     [](const Sets& sets, const WorkBudget& budget) {
       return checked(fs::opening_table(sets.million, budget)).size();
     }},
    {"index/all",
     [](const Sets& sets, const WorkBudget& budget) -> std::size_t {
       return checked(fs::open_set_index(sets.all, budget))->size();
     }},
    {"index/million",
     [](const Sets& sets, const WorkBudget& budget) -> std::size_t {
       return checked(fs::open_set_index(sets.million, budget))->size();
     }},
    {"index/player",
     [](const Sets& sets, const WorkBudget& budget) -> std::size_t {
       return checked(fs::open_set_index(sets.small, budget))->size();
     }},
    {"summary/player",
     [](const Sets& sets, const WorkBudget& budget) {
       return checked(fs::set_summary(sets.small, subject_of(sets), {.title = "player"}, budget))
           .size();
     }},
    {"openings/player",
     [](const Sets& sets, const WorkBudget& budget) {
       return checked(fs::opening_table(sets.small, budget)).size();
     }},
    {"opponents/player",
     [](const Sets& sets, const WorkBudget& budget) {
       return players_of(sets.small, subject_of(sets), budget);
     }},
};

std::string default_database() {
  const std::string masters = tests::shared_folder() + "/data/masters.si4";
  return std::filesystem::exists(masters) ? masters : tests::test_data("sample/sample.si4");
}

}  // namespace
}  // namespace scidfs::bench

int main(int argc, char** argv) {
  using namespace scidfs;
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> paths(argv + 1, argv + argc);
  if (paths.empty()) paths.push_back(bench::default_database());
  std::vector<std::unique_ptr<bench::Sets>> all;
  for (const std::string& path : paths) {
    const std::string name = std::filesystem::path(path).filename().string();
    all.push_back(
        std::make_unique<bench::Sets>(bench::checked(fs::Database::open(path, name, {}))));
    const bench::Sets& sets = *all.back();
    for (const auto& [query, answer] : bench::kQueries) {
      const std::string title = fmt::format("{}/{}", name, query);
      benchmark::RegisterBenchmark(title.c_str(),
                                   [&sets, answer = answer](benchmark::State& state) {
                                     const fs::WorkBudget budget =
                                         fs::WorkBudget::unlimited([] { return false; });
                                     for (auto _ : state) {
                                       benchmark::DoNotOptimize(answer(sets, budget));
                                     }
                                   })
          ->Unit(benchmark::kMicrosecond)
          ->MeasureProcessCPUTime()
          ->UseRealTime();
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
