// Some games of a database, or of several, in their own order.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "fs/database/game_list.h"
#include "fs/database/game_numbers.h"

namespace scidfs::fs {

// A list of games in any order, by their numbers. A value, cheap to copy, that keeps alive
// everything it needs. A game may occur twice.
class GameOrder {
 public:
  // Takes or shares `games`. REQUIRES: all are numbers of games.
  GameOrder(GameNumbers numbers, std::shared_ptr<const std::vector<GameIndex>> games)
      : numbers_(std::move(numbers)), games_(std::move(games)) {}
  GameOrder(GameNumbers numbers, std::vector<GameIndex> games)
      : GameOrder(std::move(numbers),
                  std::make_shared<const std::vector<GameIndex>>(std::move(games))) {}

  // A position in the order. A copy remembers the position. Valid as long as the order, or a copy
  // of it.
  class Cursor {
   public:
    // Returns the next game; after the last one always kNoGame.
    GameIndex next() { return at_ == end_ ? kNoGame : *at_++; }

   private:
    friend class GameOrder;
    const GameIndex* at_ = nullptr;
    const GameIndex* end_ = nullptr;
  };

  const GameNumbers& numbers() const { return numbers_; }
  const std::vector<GameIndex>& games() const { return *games_; }
  Cursor begin() const {
    Cursor cursor;
    cursor.at_ = games_->data();
    cursor.end_ = games_->data() + games_->size();
    return cursor;
  }

  // Returns the bytes of memory that keeping this costs, without the databases.
  std::size_t memory() const { return sizeof *this + games_->capacity() * sizeof(GameIndex); }

 private:
  GameNumbers numbers_;
  std::shared_ptr<const std::vector<GameIndex>> games_;
};

}  // namespace scidfs::fs
