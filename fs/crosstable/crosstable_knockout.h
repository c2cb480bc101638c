// Whether an event was a knockout, and who met whom in each of its stages. For the crosstable
// alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fs/crosstable/crosstable_standings.h"

namespace scidfs::fs {

// Players are indices into Standings::players, games into Standings::games.
struct KnockoutMatch {
  std::uint32_t winner =
      0;  // who goes on, or has more points; of two of whom nothing is known, any
  std::uint32_t loser = 0;
  std::vector<std::size_t> games;  // in the order of play
};

struct KnockoutStage {
  std::uint32_t first_round = 0;
  std::uint32_t last_round = 0;
  // As in a bracket: by where their winners stand in the next stage. In the last one the final is
  // first.
  std::vector<KnockoutMatch> matches;
};

// The stages, the final last. Nothing if there is any doubt, since a Swiss or an event of teams
// must never be taken for a knockout:
//  - all rounds are known, and a player has one opponent in each; rounds after each other in which
//    the same pairs play are one stage;
//  - of each pair exactly one plays in the next stage, who has not lost by the games, and who is
//  out
//    never plays again;
//  - each stage has fewer pairs than the one before, and the last has one, or after two pairs that
//    of their losers, too, if there are three stages or more;
//  - new players may come in between the first stage and the last;
//  - of two stages, each pair has several games; and if no pair has, there are no new players, and
//    no draws but in the final.
std::optional<std::vector<KnockoutStage>> find_knockout(const Standings& standings);

// Notes of each player how far he came. Whoever won the last match stands over who lost it.
void set_stages(const std::vector<KnockoutStage>& stages, Standings& standings);

}  // namespace scidfs::fs
