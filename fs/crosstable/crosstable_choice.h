// The layout that suits an event, and the ranks of its players. Only for the crosstable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fs/crosstable/crosstable_standings.h"

namespace scidfs::fs {

CrosstableLayout choose_layout(const Standings& standings);

// Returns the tie-break that a layout shows.
TieBreak tie_break_of(CrosstableLayout layout);

// The players, ranked as in the layout that suits the event.
struct RankedEvent {
  Standings standings;
  CrosstableLayout layout = CrosstableLayout::StandingsOnly;
};
RankedEvent rank_event(std::span<const CrosstableGame> games);

// Returns whether hardly a pair of players has not met: one of twenty at most. REQUIRES: few
// players.
bool nearly_all_have_met(const Standings& standings);

// The games that a round robin lacks: each pair should have as many games as most of the pairs that
// met. No games if none is missing, or if there are so few pairs or players that the event may not
// be a round robin. REQUIRES: few players.
struct MissingGames {
  std::size_t games = 0;
  std::uint32_t cycles = 0;  // games for each pair
};
MissingGames missing_games(const Standings& standings);

}  // namespace scidfs::fs
