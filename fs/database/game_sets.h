// The games of a set over one database or several.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "fs/database/common_players.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// The parts of a set, each the games of one database, with the players that they have in common. A
// value that keeps alive everything it needs; SetParts views it.
class GameSets {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): one set is a set of one part.
  GameSets(GameSet only) { parts_.push_back(std::move(only)); }
  // REQUIRES: `players` are those of the databases of the parts, in the same order.
  GameSets(std::vector<GameSet> parts, CommonPlayersPtr players)
      : parts_(std::move(parts)), players_(std::move(players)) {
    assert(players_ == nullptr ||
           std::ranges::equal(parts_, players_->databases(), {}, &GameSet::database));
  }

  // NOLINTNEXTLINE(google-explicit-constructor): a view.
  operator SetParts() const { return {std::span<const GameSet>(parts_), players_}; }

  const std::vector<GameSet>& parts() const { return parts_; }
  // Returns the only part. REQUIRES: the set is one of one database.
  const GameSet& only() const {
    assert(parts_.size() == 1);
    return parts_.front();
  }
  bool empty() const { return std::ranges::all_of(parts_, &GameSet::empty); }
  // Returns the number of games, counted up to `limit` or beyond.
  std::size_t count(std::size_t limit) const {
    std::size_t games = 0;
    for (const GameSet& part : parts_) games += games < limit ? part.count(limit - games) : 0;
    return games;
  }

 private:
  std::vector<GameSet> parts_;
  std::shared_ptr<const CommonPlayers> players_;  // null for one part
};

}  // namespace scidfs::fs
