// Some games of a database, or of several, from which files of games and tables are made.
#pragma once

#include <algorithm>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fs/database/common_players.h"
#include "fs/database/database_games.h"

namespace scidfs::fs {

// A game of a set over several databases. The order is that of the set.
struct GameOfPart {
  std::uint32_t part = 0;
  GameIndex game = kNoGame;

  friend auto operator<=>(const GameOfPart&,
                          const GameOfPart&) = default;  // NOLINT(modernize-use-nullptr)
};

// A set of games: its parts, each the games of one database, in the order of the set. Code that
// counts games adds up the counts of the parts; code that counts players needs their common names,
// too. A value that keeps alive everything it needs.
class GameSet {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): the games of one database are a set of one part.
  GameSet(DatabaseGames only) { parts_.push_back(std::move(only)); }
  // Without `players` only games can be counted. REQUIRES: `players` are those of the databases of
  // the parts, in the same order.
  explicit GameSet(std::vector<DatabaseGames> parts, CommonPlayersPtr players = nullptr)
      : parts_(std::move(parts)), players_(std::move(players)) {
    assert(players_ == nullptr ||
           std::ranges::equal(parts_, players_->databases(), {}, &DatabaseGames::database));
  }

  std::size_t size() const { return parts_.size(); }
  const DatabaseGames& operator[](std::size_t part) const { return parts_[part]; }
  std::vector<DatabaseGames>::const_iterator begin() const { return parts_.begin(); }
  std::vector<DatabaseGames>::const_iterator end() const { return parts_.end(); }
  const std::vector<DatabaseGames>& parts() const { return parts_; }
  // Returns the only part. REQUIRES: the set is one of one database.
  const DatabaseGames& only() const {
    assert(parts_.size() == 1);
    return parts_.front();
  }

  bool empty() const { return std::ranges::all_of(parts_, &DatabaseGames::empty); }
  // Returns the number of games, counted up to `limit`.
  std::size_t count(std::size_t limit) const {
    std::size_t games = 0;
    for (const DatabaseGames& part : parts_) games += part.count(limit - games);
    return games;
  }
  // Returns what the databases of a mount have in common. REQUIRES: there is a part.
  const Reference& reference() const {
    assert(!parts_.empty());
    return parts_.front().database()->reference();
  }
  // Returns the players of all parts. REQUIRES: there is one part, or their names were merged.
  CommonPlayersPtr players() const {
    if (players_ != nullptr) return players_;
    return std::make_shared<const CommonPlayers>(only().database());
  }

 private:
  std::vector<DatabaseGames> parts_;
  CommonPlayersPtr players_;  // null: not merged
};

}  // namespace scidfs::fs
