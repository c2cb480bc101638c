// novelties.tsv: the first move of each game of a set that was new when it was played.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "fs/content/work_budget.h"
#include "fs/database/game_set.h"

namespace scidfs::fs {

inline constexpr std::size_t kMostGamesOfNovelties = 10'000;

// How the search divides its work. The table is the same for all values.
struct NoveltyPasses {
  std::uint32_t plies = 24;                // of each game, in one pass; at least 1
  std::size_t fewest_to_sample = 200'000;  // games of the databases
};

// Returns the table, a line for each game with a novelty, in the order of the set:
//   number ply move games last path
// The novelty is the first move after which the position, board and side to move, is one that no
// earlier game had: Scid's `sc_game novelty`. The earlier games are the shown games of the parts'
// databases whose date shows that they were played on an earlier day. So doubles (fs/duplicates),
// whose dates do not contradict each other, are not earlier. A game without a year has no novelty.
// Games and last are the earlier games that had the position before the move; the path is that of
// this position. Of several databases, a column `database` follows, and `last` names its own one
// (fs/tables/game_names.h).
//
// A pass over the databases asks for the next plies of all games at once, from the last position on
// that is known not to be new; another one follows for games without a new move up to there. A pass
// over a sample of a large database comes first: it tells where that position is. Temporarily takes
// about half a kilobyte for each ply that is asked for.
//
// Errors: Unimplemented if the set has more than kMostGamesOfNovelties games; Unavailable if the
// databases have more games than the budget allows; Cancelled; those of count_earlier().
// REQUIRES: each part is of another database.
absl::StatusOr<std::string> novelty_table(const GameSet& parts, const WorkBudget& budget,
                                          const NoveltyPasses& passes = {});

}  // namespace scidfs::fs
