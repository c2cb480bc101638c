// Searches databases on all processors, from the text of a query to the list of games. Takes the
// options of Google Benchmark.
//
// Other arguments are databases (paths without extension). Default: masters of the shared data if
// it exists, else the sample. An argument with a `=` is a query that replaces those below: facets
// with `/` between them and `search` between groups. The column CPU is the time of all threads.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codec/text_buffer.h"
#include "fs/base/parallel.h"
#include "fs/database/game_bitmap.h"
#include "fs/database/game_reader.h"
#include "fs/search/search.h"
#include "tests/support/files.h"

namespace scidfs::bench {
namespace {

constexpr std::string_view kQueries[] = {
    "year=2005..2012/eco=B9/result=1-0",
    "elo=2700../month=1/result=draw",
    "white_elo=2600../elo_difference=100../eco=C",
    "player=Nakamura,Hi",
    "player=Nakamura,Hi/opponent=Caruana,F",
    "player=*an*",
    "player=c*n/opponent=?na*",
    "plies=..20/result=1-0",
    "material=KRPvKR",
    "result=draw",
    "text=novelty",
    "text=zugzwang",
};

std::vector<fs::FacetGroup> parse(std::string_view query) {
  std::vector<fs::FacetGroup> groups(1);
  while (!query.empty()) {
    const std::string_view name = query.substr(0, query.find('/'));
    query.remove_prefix(std::min(name.size() + 1, query.size()));
    if (name == "search") {
      groups.emplace_back();
    } else {
      groups.back().push_back(fs::parse_facet(name).value());
    }
  }
  return groups;
}

void measure_search(benchmark::State& state, const fs::DatabasePtr& database,
                    const std::string& query) {
  const fs::DatabaseGames all(database, database->shown());
  const std::vector<fs::FacetGroup> groups = parse(query);
  std::size_t found = 0;
  for (auto _ : state) {
    const auto games =
        fs::search(all, std::nullopt, groups, fs::WorkBudget::unlimited([] { return false; }));
    found = games.value().size();
  }
  state.counters["games"] = static_cast<double>(found);
}

// The baseline of a search in texts: all games as PGN, on all processors.
void measure_text(benchmark::State& state, const fs::DatabasePtr& database) {
  for (auto _ : state) {
    fs::GameBitmap all(database->games());
    all.add(database->shown());
    const fs::WorkBudget budget = fs::WorkBudget::unlimited(nullptr);
    struct Worker {
      fs::ReaderPool::Loan reader;
      codec::TextBuffer text;
    };
    std::vector<Worker> workers;
    for (std::size_t i = 0; i < fs::scan_workers(budget); ++i) {
      workers.push_back({.reader = database->readers().borrow(), .text = {}});
      workers.back().reader->expect(database->games());
    }
    const auto status = fs::scan_blocks(
        all, budget, [&](std::size_t number, std::size_t block, const fs::BlockMask& mask) {
          Worker& worker = workers[number];
          fs::for_each_bit(mask, [&](std::size_t i) {
            const auto game = static_cast<fs::GameIndex>(block * fs::PackedIndex::kBlock + i);
            benchmark::DoNotOptimize(worker.reader->append(game, worker.text));
          });
          worker.text.clear();
          return absl::OkStatus();
        });
    benchmark::DoNotOptimize(status);
  }
}

std::string default_database() {
  const std::string masters = tests::shared_folder() + "/data/masters";
  if (std::filesystem::exists(masters + ".si4")) return masters;
  return tests::test_data("sample/sample");
}

}  // namespace
}  // namespace scidfs::bench

int main(int argc, char** argv) {
  using scidfs::fs::Database;
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> databases;
  std::vector<std::string> queries;
  for (const std::string& word : std::vector<std::string>(argv + 1, argv + argc)) {
    (word.find('=') == std::string::npos ? databases : queries).push_back(word);
  }
  if (databases.empty()) databases.push_back(scidfs::bench::default_database());
  if (queries.empty()) {
    queries.assign(std::begin(scidfs::bench::kQueries), std::end(scidfs::bench::kQueries));
  }
  for (const std::string& prefix : databases) {
    const std::string name = std::filesystem::path(prefix).filename().string();
    const auto opened = Database::open(prefix + ".si4", name, {});
    if (!opened.ok()) {
      fmt::print(stderr, "{}\n", std::string(opened.status().message()));
      return 1;
    }
    const scidfs::fs::DatabasePtr database = *opened;
    database->lists().warm_up();
    for (const std::string& query : queries) {
      benchmark::RegisterBenchmark(fmt::format("{}/{}", name, query).c_str(),
                                   [database, query](benchmark::State& state) {
                                     scidfs::bench::measure_search(state, database, query);
                                   })
          ->Unit(benchmark::kMillisecond)
          ->MeasureProcessCPUTime()
          ->UseRealTime();
    }
    benchmark::RegisterBenchmark(
        fmt::format("{}/all games as PGN", name).c_str(),
        [database](benchmark::State& state) { scidfs::bench::measure_text(state, database); })
        ->Unit(benchmark::kMillisecond)
        ->MeasureProcessCPUTime()
        ->UseRealTime();
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
