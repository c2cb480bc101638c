// What games consist of, as numbers by which the same moves are found again.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// The main line of a game, as far as it can be decoded, and its start (codec/scid/line_hash.h).
struct GameLine {
  std::uint64_t head = 0;  // of the first kFewestPlies moves; without meaning if there are fewer
  std::uint64_t whole = 0;
  std::uint32_t plies = 0;
};

// Those of some games, ascending, of which some may be no record at all: without any ply. Errors:
// Cancelled; those of GameFile::read().
absl::StatusOr<std::vector<GameLine>> read_lines(const Database& database,
                                                 std::span<const GameIndex> games,
                                                 const WorkBudget& budget);

// Where a line ends.
struct LineEnd {
  std::uint32_t plies = 0;
  std::uint64_t whole = 0;

  friend auto operator<=>(const LineEnd&,
                          const LineEnd&) = default;  // NOLINT(modernize-use-nullptr)
};

// A game, and lines that may be its beginning: ascending, each at least one ply shorter.
struct LongerGame {
  GameIndex game = kNoGame;
  std::span<const LineEnd> shorter;
};

inline constexpr std::uint32_t kNoLine = ~std::uint32_t{0};

// For each of some games, ascending, the longest of those lines that it begins with: its number
// among them, or kNoLine. Errors: as read_lines().
absl::StatusOr<std::vector<std::uint32_t>> find_beginnings(const Database& database,
                                                           std::span<const LongerGame> games,
                                                           const WorkBudget& budget);

}  // namespace scidfs::fs
