// Makes lines of index.tsv from index entries in memory, on one core. Takes the options of Google
// Benchmark.
//
// Other arguments are databases (paths without extension). Default: masters of the shared data if
// it exists, else the sample.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "codec/scid/index.h"
#include "codec/scid/names.h"
#include "codec/text_buffer.h"
#include "fs/database/index_tsv_line.h"
#include "tests/support/files.h"

namespace scidfs::bench {
namespace {

class Table {
 public:
  explicit Table(const std::string& prefix)
      : index_(tests::read_file(prefix + ".si4")),
        names_(codec::scid::parse_names(tests::as_bytes(tests::read_file(prefix + ".sn4")))),
        lines_(names_) {}

  fs::GameIndex games() const {
    return static_cast<fs::GameIndex>((index_.size() - codec::scid::kIndexHeaderSize) /
                                      codec::scid::kIndexEntrySize);
  }

  // Each passes over all games once and returns the bytes of the lines.
  std::uint64_t parse() const {
    std::uint64_t size = 0;
    for (fs::GameIndex game = 0; game < games(); ++game) {
      const codec::scid::IndexEntry parsed = entry(game);
      benchmark::DoNotOptimize(parsed);
      size += parsed.length;
    }
    return size;
  }
  std::uint64_t length() const {
    std::uint64_t size = 0;
    for (fs::GameIndex game = 0; game < games(); ++game) {
      size += lines_.length(game, entry(game), kDirectory);
    }
    return size;
  }
  std::uint64_t append() const {
    codec::TextBuffer buffer;
    std::uint64_t size = 0;
    for (fs::GameIndex game = 0; game < games(); ++game) {
      lines_.append(game, entry(game), kDirectory, buffer);
      if (buffer.size() < kRead) continue;
      size += buffer.size();
      buffer.clear();
    }
    return size + buffer.size();
  }

 private:
  static constexpr std::string_view kDirectory = "games";
  static constexpr std::size_t kRead = std::size_t{128} << 10;  // bytes of one request

  codec::scid::IndexEntry entry(fs::GameIndex game) const {
    return codec::scid::parse_index_entry(tests::as_bytes(index_).subspan(
        codec::scid::kIndexHeaderSize + game * codec::scid::kIndexEntrySize));
  }

  std::string index_;
  codec::scid::Names names_;
  fs::IndexTsvLines lines_;
};

using Pass = std::uint64_t (Table::*)() const;

void measure(benchmark::State& state, const Table& table, Pass pass) {
  for (auto _ : state) benchmark::DoNotOptimize((table.*pass)());
  using benchmark::Counter;
  constexpr double kMega = 1e6;
  constexpr double kNano = 1e-9;
  if (pass == &Table::append) {
    state.counters["MB/s"] =
        Counter(static_cast<double>(table.length()) / kMega, Counter::kIsIterationInvariantRate);
  }
  state.counters["ns/line"] =
      Counter(table.games() * kNano, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

std::string default_database() {
  const std::string masters = tests::shared_folder() + "/data/masters";
  if (std::filesystem::exists(masters + ".si4")) return masters;
  return tests::test_data("sample/sample");
}

}  // namespace
}  // namespace scidfs::bench

int main(int argc, char** argv) {
  using scidfs::bench::Table;
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> databases(argv + 1, argv + argc);
  if (databases.empty()) databases.push_back(scidfs::bench::default_database());
  const std::pair<const char*, scidfs::bench::Pass> passes[] = {
      {"parse", &Table::parse}, {"length", &Table::length}, {"append", &Table::append}};
  std::vector<std::unique_ptr<Table>> tables;
  for (const std::string& prefix : databases) {
    const Table& table = *tables.emplace_back(std::make_unique<Table>(prefix));
    for (const auto& [name, pass] : passes) {
      const std::string title =
          fmt::format("{}/{}", std::filesystem::path(prefix).filename().string(), name);
      benchmark::RegisterBenchmark(title.c_str(), [&table, pass = pass](benchmark::State& state) {
        scidfs::bench::measure(state, table, pass);
      })->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
