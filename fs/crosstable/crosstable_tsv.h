// standings.tsv and crosstable.tsv: what a crosstable says, for programs.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstdint>
#include <span>
#include <string>

#include "fs/crosstable/crosstable.h"

namespace scidfs::fs {

// Players as format_crosstable() ranks them, the first 10,000:
//   rank name elo games points wins draws losses sonneborn_berger buchholz path
// A tie-break is empty where the crosstable does not show it. `append_path` appends where a player
// is found, by his id.
std::string standings_tsv(std::span<const CrosstableGame> games,
                          absl::FunctionRef<void(std::uint32_t id, std::string& out)> append_path);

// A line for each player and each opponent that he met, by their ranks; so each game counts in two
// lines, and one without an opponent in one, last:
//   rank name opponent_rank opponent games points wins draws losses results
// Results are in the order of play with a blank between them, each with the player's colour:
// `w1 b1/2 w0 b*`. Of more than 50,000 games there is the head alone.
std::string crosstable_tsv(std::span<const CrosstableGame> games);

}  // namespace scidfs::fs
