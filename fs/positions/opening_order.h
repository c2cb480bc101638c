// The games of a database in the order of their first moves: games that begin alike are neighbours.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/database/stored_positions.h"

namespace scidfs::fs {

// Ranks of games. First come those that are known to be whole and begin in the standard position,
// in order of their first kStoredPlies moves; then the others, in the order of the database.
struct OpeningOrder {
  static constexpr std::uint32_t kNoRank = ~std::uint32_t{0};

  std::vector<GameIndex> games;      // by rank
  std::vector<std::uint32_t> ranks;  // by game; kNoRank: it has no moves that can be read
  // By rank, of those in order: how many of its first moves are those of the game before.
  std::vector<std::uint8_t> common;
  // The nodes of the tree that the games in order make: an upper bound of their different boards.
  std::uint64_t nodes = 0;

  bool is_in_order(std::uint32_t rank) const { return rank < common.size(); }
  // Returns how many games from this one on, in order, begin with the same `plies` moves. REQUIRES:
  // it is in order.
  std::uint32_t count_alike(std::uint32_t rank, std::uint32_t plies) const {
    auto end = std::size_t{rank} + 1;
    while (end < common.size() && common[end] >= plies) ++end;
    return static_cast<std::uint32_t>(end - rank);
  }
};

// Returns the order. Takes 33 bytes a game meanwhile, besides. REQUIRES: all sizes are known.
// Errors: Cancelled; those of GameFile::read().
absl::StatusOr<OpeningOrder> order_by_opening(const Database& database, GameFile::Check check,
                                              const WorkBudget& budget);

}  // namespace scidfs::fs
