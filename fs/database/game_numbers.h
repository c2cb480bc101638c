// Numbers for the games of several databases.
#pragma once

#include <absl/status/status.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "fs/base/status_macros.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// The games of some databases, the parts, in one row: those of the first part, then those of the
// second one, and so on. The number of a game is its place in the row, from 0; in one database that
// is its index. A value, cheap to copy, that keeps the databases.
class GameNumbers {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): one database is the case of one part.
  GameNumbers(DatabasePtr only) : GameNumbers(std::vector<DatabasePtr>{std::move(only)}) {}
  // REQUIRES: there is a database.
  explicit GameNumbers(std::vector<DatabasePtr> parts) : parts_(std::move(parts)) {
    assert(!parts_.empty());
    for (const DatabasePtr& part : parts_) begins_.push_back(begins_.back() + part->games());
  }

  std::size_t parts() const { return parts_.size(); }
  const DatabasePtr& part(std::size_t part) const { return parts_[part]; }
  // Returns how many games there are. Those that have numbers come before kNoGame.
  std::uint64_t size() const { return begins_.back(); }
  // Returns the number of a game. REQUIRES: it has one.
  GameIndex of(const GameOfPart& game) const {
    assert(game.part < parts() && game.game < part(game.part)->games());
    assert(begins_[game.part] + game.game < kNoGame);
    return static_cast<GameIndex>(begins_[game.part] + game.game);
  }
  // Returns the game with a number. REQUIRES: number < size().
  GameOfPart at(GameIndex number) const {
    assert(number < size());
    if (parts_.size() == 1) return {.part = 0, .game = number};
    const auto next = std::ranges::upper_bound(begins_, number);
    const auto part = static_cast<std::uint32_t>(next - begins_.begin() - 1);
    return {.part = part, .game = static_cast<GameIndex>(number - begins_[part])};
  }

  // Calls visit(part, begin, end) for each part that has some of `count` games, number_at(i)
  // ascending: from `begin` to before `end`. A failure of a visit ends this.
  template <class NumberAt, class Visit>
  absl::Status for_each_part(std::size_t count, const NumberAt& number_at,
                             const Visit& visit) const {
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
      const std::size_t part = at(number_at(begin)).part;
      if (part + 1 == parts()) end = count;
      while (end < count && number_at(end) < begins_[part + 1]) ++end;
      RETURN_IF_ERROR(visit(part, begin, end));
    }
    return absl::OkStatus();
  }

 private:
  std::vector<DatabasePtr> parts_;
  std::vector<std::uint64_t> begins_{0};  // by part; at the end that of all games
};

}  // namespace scidfs::fs
