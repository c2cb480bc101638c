// standings.tsv and crosstable.tsv: the content of a crosstable, for programs.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <span>
#include <string>

#include "fs/crosstable/crosstable.h"

namespace scidfs::fs {

// Returns the players in the order of format_crosstable(), the first 10,000:
//   rank name elo games points wins draws losses sonneborn_berger buchholz path
// A tie-break is empty where the crosstable does not show it. `append_path` appends the path of a
// player, by the player's id.
std::string standings_tsv(std::span<const CrosstableGame> games,
                          absl::FunctionRef<void(std::uint32_t id, std::string& out)> append_path);

// Returns a line for each player and each of the player's opponents, by their ranks; so each game
// counts in two lines. A game without an opponent counts in one, which is last:
//   rank name opponent_rank opponent games points wins draws losses results
// Results are in the order of play, separated by a blank, each with the player's color: `w1 b1/2 w0
// b*`. For more than 50,000 games returns only the head.
std::string crosstable_tsv(std::span<const CrosstableGame> games);

}  // namespace scidfs::fs
