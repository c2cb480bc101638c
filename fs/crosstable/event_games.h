// The games of an event, as its tables want them.
#pragma once

#include <absl/container/node_hash_map.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/types.h"
#include "fs/content/work_budget.h"
#include "fs/crosstable/crosstable.h"
#include "fs/database/database.h"
#include "fs/database/game_list.h"
#include "fs/database/people.h"

namespace scidfs::fs {

// The names in the tables of an event: those of the name file. Any thread may use it; the database
// outlives it.
class EventNames {
 public:
  explicit EventNames(const Database& database) : database_(database) {}
  EventNames(const EventNames&) = delete;
  EventNames& operator=(const EventNames&) = delete;
  virtual ~EventNames() = default;

  const Database& database() const { return database_; }
  // Does the work that the other functions depend on. Unavailable if that exceeds the budget.
  virtual absl::Status prepare(const WorkBudget&) const { return absl::OkStatus(); }
  // Returns a round by the id of its name.
  virtual std::string round(std::uint32_t round_id) const;
  // The player whom the tables show for a player of a game.
  struct Player {
    std::uint32_t id = 0;
    std::string_view name;  // clean; valid as long as the database
  };
  virtual Player player(const PlayerOfGame& in) const;

 private:
  const Database& database_;
};

// A database without names of events has one event for all its games. A table of so many would keep
// a request for its size waiting, and would need all of the games in memory at once.
inline constexpr std::size_t kMaxTableGames = 500'000;

// Some games, and their rounds by the ids of their names.
struct EventGames {
  absl::node_hash_map<std::uint32_t, std::string> rounds;
  std::vector<CrosstableGame> games;
};

// Reads the entries of some games; nothing if there are too many for a table. Errors:
// Unavailable if that and the table together exceed the budget; Cancelled.
absl::StatusOr<std::optional<EventGames>> event_games(const EventNames& names,
                                                      const GameList& games,
                                                      const WorkBudget& budget);

}  // namespace scidfs::fs
