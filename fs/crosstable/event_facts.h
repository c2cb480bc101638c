// The line of an event: dates, players, winner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "codec/types.h"
#include "fs/crosstable/crosstable.h"
#include "fs/crosstable/crosstable_standings.h"

namespace scidfs::fs {

// The first and the last day of some games, from the most exact dates; empty if none is known.
struct EventDates {
  codec::Date first, last;
};
EventDates event_dates(std::span<const CrosstableGame> games);

// The Elo ratings of the players of an event.
struct EventRatings {
  std::size_t rated = 0;      // players with one
  std::uint64_t average = 0;  // 0: no player has one
  // 0: none. Only a round robin has one, in which all players are rated and nearly all pairs met.
  std::uint64_t fide_category = 0;
};
EventRatings event_ratings(const Standings& standings, CrosstableLayout layout);

struct EventFacts {
  EventDates dates;
  std::size_t players = 0;
  EventRatings ratings;
  CrosstableLayout layout = CrosstableLayout::StandingsOnly;
  // The player who is first in the crosstable; nothing if there is no second, or one who is equal
  // in points, tie-break and stage. The name is valid as long as those of the games.
  struct Winner {
    std::string_view name;
    std::uint32_t points = 0;  // in halves
  };
  std::optional<Winner> winner;
};
EventFacts event_facts(std::span<const CrosstableGame> games);

}  // namespace scidfs::fs
