// scan_pgn PGN: finds the games of a PGN file in memory, as an import does, and prints the bytes of
// the text a second, in GB; then the same for counting its lines.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/pgn_reader/scanner.h"
#include "tests/support/files.h"

namespace scidfs::bench {
namespace {

// Prints how fast a function passes over the text, which returns how much it has found.
template <typename Pass>
void measure(const char* name, const std::string& text, const Pass& pass) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t found = pass();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  fmt::print("{} {} {:.3f}\n", name, found, static_cast<double>(text.size()) / time.count() / 1e9);
}

int run(std::span<char*> arguments) {
  if (arguments.size() != 2) {
    fmt::print(stderr, "usage: scan_pgn PGN\n");
    return 2;
  }
  const std::string text = tests::read_file(arguments[1]);
  std::vector<codec::pgn_reader::FoundGame> games;
  measure("games", text, [&] {
    codec::pgn_reader::GameScanner().find_all(text, true, games);
    return games.size();
  });
  measure("lines", text, [&] { return codec::pgn_reader::count_lines(text); });
  return 0;
}

}  // namespace
}  // namespace scidfs::bench

int main(int argc, char** argv) {
  return scidfs::bench::run(std::span(argv, static_cast<std::size_t>(argc)));
}
