// Which table suits an event, and who is where in it. For the crosstable alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fs/crosstable/crosstable_standings.h"

namespace scidfs::fs {

CrosstableLayout choose_layout(const Standings& standings);

// The tie-break that a layout shows.
TieBreak tie_break_of(CrosstableLayout layout);

// The players as the layout that suits the event ranks them.
struct RankedEvent {
  Standings standings;
  CrosstableLayout layout = CrosstableLayout::StandingsOnly;
};
RankedEvent rank_event(std::span<const CrosstableGame> games);

// What a round robin lacks: each pair is to have as many games as most of those pairs have that
// met. No games if all are there, or if so few pairs or players are there that it may be something
// else.
// REQUIRES: few players.
struct MissingGames {
  std::size_t games = 0;
  std::uint32_t cycles = 0;  // games of a pair
};
MissingGames missing_games(const Standings& standings);

}  // namespace scidfs::fs
