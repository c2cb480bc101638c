// The test whether an event was a knockout, and the pairs of its stages. Only for the crosstable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "fs/crosstable/crosstable_standings.h"

namespace scidfs::fs {

// The games of one pair. Players are indices into Standings::players, games into Standings::games.
struct KnockoutMatch {
  std::uint32_t winner =
      0;  // the player who advances or has more points; if neither is known, either player
  std::uint32_t loser = 0;
  std::vector<std::size_t> games;  // in the order of play
};

struct KnockoutStage {
  std::uint32_t first_round = 0;
  std::uint32_t last_round = 0;
  // In bracket order: by where their winners are in the next stage. In the last stage the final is
  // first.
  std::vector<KnockoutMatch> matches;
};

// Returns the stages, the final last. Returns nothing in case of any doubt, since a Swiss or a team
// event must never be taken for a knockout. In a knockout:
//  - all rounds are known, and a player has one opponent in each; consecutive rounds in which the
//    same pairs play are one stage;
//  - of each pair exactly one player, who has not lost by the games, plays in the next stage, and
//    the other never plays again;
//  - each stage has fewer pairs than the one before; the last has one pair or, after a stage of two
//    pairs and if there are three stages or more, also the pair of that stage's losers;
//  - new players may enter only between the first stage and the last;
//  - if there are only two stages, each pair has several games; and if no pair has several, there
//    are no new players, and no draws but in the final.
std::optional<std::vector<KnockoutStage>> find_knockout(const Standings& standings);

// Sets the stage that each player reached. The winner of a match in the last stage ranks above its
// loser.
void set_stages(const std::vector<KnockoutStage>& stages, Standings& standings);

}  // namespace scidfs::fs
