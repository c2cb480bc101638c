// Main lines of games as hashes, by which games with the same moves are found.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_numbers.h"

namespace scidfs::fs {

// The main line of a game, as far as it can be decoded, and its start (codec/scid/line_hash.h).
struct GameLine {
  std::uint64_t head = 0;  // of the first kFewestPlies moves; meaningless if there are fewer
  std::uint64_t whole = 0;
  std::uint32_t plies = 0;
};

// Returns the lines of some games, by their numbers, ascending. A record that cannot be decoded has
// a line of 0 plies. Errors: Cancelled; those of GameFile::read().
absl::StatusOr<std::vector<GameLine>> read_lines(const GameNumbers& numbers,
                                                 std::span<const GameIndex> games,
                                                 const WorkBudget& budget);

// The end of a line.
struct LineEnd {
  std::uint32_t plies = 0;
  std::uint64_t whole = 0;

  friend auto operator<=>(const LineEnd&,
                          const LineEnd&) = default;  // NOLINT(modernize-use-nullptr)
};

// A game and the lines that it may begin with: ascending, each at least one ply shorter.
struct LongerGame {
  GameIndex game = kNoGame;
  std::span<const LineEnd> shorter;
};

inline constexpr std::uint32_t kNoLine = ~std::uint32_t{0};

// Returns for each of some games, ascending, the longest of those lines that it begins with: its
// index among them, or kNoLine. Errors: those of read_lines().
absl::StatusOr<std::vector<std::uint32_t>> find_beginnings(const GameNumbers& numbers,
                                                           std::span<const LongerGame> games,
                                                           const WorkBudget& budget);

}  // namespace scidfs::fs
