// The tables of a crosstable, one function for each layout. For the crosstable alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fs/views/crosstable_standings.h"

namespace scidfs::fs {

// A cell with more games of one pairing than this shows their sum.
inline constexpr std::size_t kMaxGamesInCell = 6;

// The rounds that occur, ascending; games whose round is not known last, as number 0.
std::vector<std::uint32_t> round_columns(const Standings& standings);

// All REQUIRE ranked players and what the layout promises: two players for a match, few for a round
// robin, few players and rounds for a Swiss.
void write_match(const Standings& standings, std::string& out);
void write_round_robin(const Standings& standings, std::string& out);
void write_swiss(const Standings& standings, std::string& out);
void write_standings(const Standings& standings, std::string& out);
void write_games(const Standings& standings, std::string& out);

}  // namespace scidfs::fs
