// Decodes records in memory to PGN text, in stages, on one core. Takes the options of Google
// Benchmark.
//
// Other arguments are databases (paths without extension). Default: masters and annotated of the
// shared data if they exist, else the sample.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/decoding.h"
#include "tests/support/files.h"

namespace scidfs::bench {
namespace {

using Pass = std::uint64_t (Decoding::*)();

void measure(benchmark::State& state, Decoding& decoding, Pass pass) {
  for (auto _ : state) benchmark::DoNotOptimize((decoding.*pass)());
  using benchmark::Counter;
  const auto per_second = [](std::uint64_t value) {
    return Counter(static_cast<double>(value), Counter::kIsIterationInvariantRate);
  };
  state.counters["games/s"] = per_second(decoding.games());
  if (pass == &Decoding::text || pass == &Decoding::length) {
    constexpr double kMega = 1e6;
    state.counters["MB/s"] = Counter(static_cast<double>(decoding.text_size()) / kMega,
                                     Counter::kIsIterationInvariantRate);
  }
  constexpr double kNano = 1e-9;
  const bool is_replay = pass == &Decoding::replay || pass == &Decoding::seek;
  const std::uint64_t plies = is_replay ? decoding.replay() : decoding.plies();
  state.counters["ns/ply"] = Counter(static_cast<double>(plies) * kNano,
                                     Counter::kIsIterationInvariantRate | Counter::kInvert);
}

std::vector<std::string> default_databases() {
  std::vector<std::string> found;
  for (const char* name : {"masters", "annotated"}) {
    const std::string prefix = tests::shared_folder() + "/data/" + name;
    if (std::filesystem::exists(prefix + ".si4")) found.push_back(prefix);
  }
  if (found.empty()) found.push_back(tests::test_data("sample/sample"));
  return found;
}

}  // namespace
}  // namespace scidfs::bench

int main(int argc, char** argv) {
  using scidfs::bench::Decoding;
  benchmark::Initialize(&argc, argv);
  std::vector<std::string> databases(argv + 1, argv + argc);
  if (databases.empty()) databases = scidfs::bench::default_databases();
  const std::pair<const char*, scidfs::bench::Pass> passes[] = {
      {"moves", &Decoding::moves}, {"replay", &Decoding::replay}, {"seek", &Decoding::seek},
      {"san", &Decoding::san},     {"length", &Decoding::length}, {"text", &Decoding::text}};
  std::vector<std::unique_ptr<Decoding>> decodings;
  for (const std::string& prefix : databases) {
    Decoding& decoding = *decodings.emplace_back(std::make_unique<Decoding>(prefix));
    for (const auto& [name, pass] : passes) {
      const std::string title =
          fmt::format("{}/{}", std::filesystem::path(prefix).filename().string(), name);
      benchmark::RegisterBenchmark(title.c_str(), [&decoding,
                                                   pass = pass](benchmark::State& state) {
        scidfs::bench::measure(state, decoding, pass);
      })->Unit(benchmark::kMillisecond);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
