// The tables of a crosstable, one function for each layout. For the crosstable alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fs/crosstable/crosstable_standings.h"

namespace scidfs::fs {

// A cell with more games of one pairing than this shows their sum.
inline constexpr std::size_t kMaxGamesInCell = 6;
// More players are not listed by their points.
inline constexpr std::size_t kMaxStandings = 10'000;

// "7.25" of 29 quarters.
std::string sonneborn_berger_text(std::uint64_t quarters);

// The rounds that occur, ascending; games whose round is not known last, as number 0.
std::vector<std::uint32_t> round_columns(const Standings& standings);

// All REQUIRE ranked players and what the layout promises: two players for a match, few for a round
// robin, a knockout, few players and rounds for a Swiss.
void write_match(const Standings& standings, std::string& out);
void write_round_robin(const Standings& standings, std::string& out);
void write_knockout(const Standings& standings, std::string& out);
void write_swiss(const Standings& standings, std::string& out);
void write_standings(const Standings& standings, std::string& out);
void write_games(const Standings& standings, std::string& out);

}  // namespace scidfs::fs
