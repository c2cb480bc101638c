// The tables of many positions at once: those that a tree of moves lists.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/target_position.h"
#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"
#include "fs/positions/move_table.h"
#include "fs/positions/opening_lines.h"

namespace scidfs::fs {

// The legal moves from a position that at least one in a hundred of the games that come to it play,
// at most 12 plies deep and at most 1,000 lines in all: those with most games. Each position counts
// all games of the set that come to it, by any move order; lines that come to the same position
// share its table. Immutable.
class OpeningTree {
 public:
  static constexpr unsigned kMostPlies = 12;
  static constexpr std::size_t kMostLines = 1000;

  // Takes the tables that are known. Where others are needed, it looks at some games to guess which
  // positions will be listed (PositionSample), then counts these in one pass over all games of the
  // set (count_moves()). Repeats the pass only if other positions turn out to be listed. The guess
  // affects only the number of passes. Errors: Unavailable if there are more games than the budget
  // allows; Cancelled; those of GameFile::read().
  static absl::StatusOr<std::shared_ptr<const OpeningTree>> make(const GameSet& parts,
                                                                 const codec::TargetPosition& root,
                                                                 const WorkBudget& budget,
                                                                 KnownTable known = no_table);

  // Returns the moves listed after a line from the root, as SAN without check marks, most games
  // first. Returns none if the line itself is not listed. Null moves are not listed.
  std::span<const std::string> listed(std::span<const codec::Move> line) const {
    return lines_.after(line);
  }
  // Returns the table of the root, or of a position that a listed line comes to, by
  // codec::position_name(); null for any other position.
  const MoveTable* find(std::string_view position) const;

  std::size_t memory() const;

 private:
  using Tables = absl::flat_hash_map<std::string, MoveTable>;
  OpeningTree(OpeningLines lines, Tables tables)
      : lines_(std::move(lines)), tables_(std::move(tables)) {}

  const OpeningLines lines_;
  const Tables tables_;
};

}  // namespace scidfs::fs
