// A set cut into parts, about equal in bytes of records.
#pragma once

#include <absl/status/statusor.h>

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

// The places where a set is cut into contiguous parts, which in order are the set. A game belongs
// to the part in which its first byte lies, if the records of the set are put one after the other:
// so the cut depends on the games alone, and is the same on every machine. Immutable; keeps the
// databases.
class SetCut {
 public:
  // Cuts a set, the games of one database after the other, by the lengths that the index has.
  // Errors: Unavailable if that exceeds the budget; Cancelled. REQUIRES: there is a database.
  static absl::StatusOr<std::shared_ptr<const SetCut>> make(GameSet games, std::uint32_t parts,
                                                            const WorkBudget& budget);

  // Return the games of a part, or those of all other parts, in each database of the set. Errors:
  // as above. REQUIRES: `number` is from 1 to the number of parts.
  absl::StatusOr<std::vector<DatabaseGames>> part(std::uint32_t number,
                                                  const WorkBudget& budget) const {
    assert(number >= 1 && number < cuts_.size());
    return between({{number - 1, number}}, budget);
  }
  absl::StatusOr<std::vector<DatabaseGames>> others(std::uint32_t number,
                                                    const WorkBudget& budget) const {
    assert(number >= 1 && number < cuts_.size());
    const auto end = static_cast<std::uint32_t>(cuts_.size() - 1);
    return between({{0, number - 1}, {number, end}}, budget);
  }

  // Returns the bytes of memory that this takes.
  std::size_t memory() const;

 private:
  // Where a part begins.
  struct Cut {
    GameOfPart first;         // its first game; behind the last game: the next database
    GameList::Cursor before;  // returns that game next
  };
  // Cuts, by number: the first one, and the one behind the last game.
  struct Range {
    std::uint32_t begin = 0, end = 0;
  };

  explicit SetCut(GameSet games) : games_(std::move(games)) {}
  absl::StatusOr<std::vector<DatabaseGames>> between(const std::vector<Range>& ranges,
                                                     const WorkBudget& budget) const;

  const GameSet games_;
  std::vector<Cut> cuts_;  // of each part, then the end
};

}  // namespace scidfs::fs
