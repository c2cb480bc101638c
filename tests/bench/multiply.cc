// multiply SOURCE_STEM GAMES TARGET_STEM [distinct]: makes a database of any size out of a real
// one; with "distinct" each copy of a game has moves of its own.
#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "tests/bench/multiplier.h"

int main(int argc, char** argv) {
  constexpr int kFailure = 1;
  constexpr int kUsage = 2;
  const bool is_distinct = argc == 5 && std::string_view(argv[4]) == "distinct";
  if (argc != 4 && !is_distinct) {
    fmt::print(stderr, "usage: multiply SOURCE_STEM GAMES TARGET_STEM [distinct]\n");
    return kUsage;
  }
  const std::string_view number = argv[2];
  std::uint32_t games = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), games);
  if (error != std::errc() || end != number.data() + number.size()) {
    fmt::print(stderr, "multiply: not a number of games (at most {}): {}\n",
               scidfs::bench::kMostGames, number);
    return kUsage;
  }
  const absl::Status status = scidfs::bench::multiply(
      argv[1], games, argv[3], scidfs::bench::kNameLimits,
      is_distinct ? scidfs::bench::Copies::OwnMoves : scidfs::bench::Copies::SameMoves);
  if (status.ok()) return 0;
  fmt::print(stderr, "multiply: {}\n", std::string(status.message()));
  return kFailure;
}
