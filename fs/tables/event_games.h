// The games of an event, as its tables want them.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fs/content/work_budget.h"
#include "fs/crosstable/crosstable.h"
#include "fs/database/game_list.h"
#include "fs/database/game_set.h"
#include "fs/tables/identities.h"

namespace scidfs::fs {

// A database without names of events has one event for all its games. A table of so many would keep
// a request for its size waiting, and would need all of the games in memory at once.
inline constexpr std::size_t kMaxTableGames = 500'000;

// Games of one part of a set.
struct GamesOfPart {
  std::uint32_t part = 0;
  GameList games;
};
// Returns those of all parts. They are valid as long as the set.
std::vector<GamesOfPart> games_by_part(const GameSet& parts);

// Some games, and the texts of their rounds.
struct EventGames {
  std::deque<std::string> rounds;
  std::vector<CrosstableGame> games;
};

// Reads the entries of some games, in this order; nothing if there are too many for a table. The
// ids of players are their identities. Errors: Unavailable if that and the table together exceed
// the budget; Cancelled. The names are valid as long as the databases.
absl::StatusOr<std::optional<EventGames>> event_games(const Identities& who,
                                                      std::span<const GamesOfPart> games,
                                                      const WorkBudget& budget);

// Returns a round by the id of its name in a part; where persons count, as the spelling file has
// it.
std::string round_text(const Identities& who, std::size_t part, std::uint32_t round);

}  // namespace scidfs::fs
