// The tables of many positions at once: those that a tree of moves lists.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codec/position_goal.h"
#include "fs/content/effort.h"
#include "fs/database/game_set.h"
#include "fs/sets/move_table.h"

namespace scidfs::fs {

// From a position on, the moves that at least one in a hundred of the games play which come to that
// position, at most 12 plies deep and at most 1,000 lines in all: those with most games. Each
// position counts all games of the set that come to it, whatever their moves before. Immutable.
class OpeningTree : public Answer {
 public:
  static constexpr unsigned kMostPlies = 12;
  static constexpr std::size_t kMostLines = 1000;

  // Goes through the games of the set once, or a few times. Errors: Unavailable if that wants more
  // effort; Cancelled; those of GameFile::read().
  static absl::StatusOr<std::shared_ptr<const OpeningTree>> make(const GameSet& set,
                                                                 const codec::PositionGoal& root,
                                                                 const Effort& effort);

  // The moves that are listed after a line from the root, as SAN without check marks, most games
  // first. None if the line itself is not listed.
  std::span<const std::string> listed(std::span<const codec::Move> line) const;
  // The table of a position, by codec::position_name(); null if it is none of the tree's.
  const MoveTable* find(std::string_view position) const;

  std::size_t memory() const override;
};

}  // namespace scidfs::fs
