// How many plies the games of a set have.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// The plies of all games, and sums. A game has one position more than plies; one whose record does
// not say where it begins has no plies. Immutable.
struct SetPlies {
  std::vector<std::uint32_t> plies;      // by game, in the order of the set
  std::vector<std::uint64_t> game_ends;  // of each section of the set: games up to its end
  std::vector<std::uint64_t> ply_ends;   // and plies
  std::uint64_t records = 0;             // a fingerprint of the records of all games

  std::uint64_t all_plies() const { return ply_ends.empty() ? 0 : ply_ends.back(); }
  std::uint64_t all_positions() const { return all_plies() + plies.size(); }
  std::size_t memory() const {
    return sizeof *this + plies.capacity() * sizeof(plies[0]) +
           (game_ends.capacity() + ply_ends.capacity()) * sizeof(game_ends[0]);
  }
};

// The sections of set_plies() and of the arrays: of one block of the index each.
inline constexpr std::size_t kGamesOfArraySection = 1;

// Counts the plies, for which it reads all games once. Errors: Unavailable if that exceeds the
// budget; Unimplemented if no file may have all of these games (begin_decoding()); Cancelled; those
// of GameFile::read().
absl::StatusOr<std::shared_ptr<const SetPlies>> count_plies(const GameSet& games,
                                                            const WorkBudget& budget);

}  // namespace scidfs::fs
