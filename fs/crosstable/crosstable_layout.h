// The tables of a crosstable, one function for each layout. Only for the crosstable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fs/crosstable/crosstable_standings.h"

namespace scidfs::fs {

// A cell with more games of one pair than this shows their total.
inline constexpr std::size_t kMaxGamesInCell = 6;
// The most players that a list of points has.
inline constexpr std::size_t kMaxStandings = 10'000;

// Returns "7.25" for 29 quarters.
std::string sonneborn_berger_text(std::uint64_t quarters);

// Returns the rounds that occur, ascending; if some games have no known round, 0 is last.
std::vector<std::uint32_t> round_columns(const Standings& standings);

// Append a table. All REQUIRE ranked players and an event that fits the layout: two players for a
// match, few for a round robin, a knockout, few players and rounds for a Swiss.
void write_match(const Standings& standings, std::string& out);
void write_round_robin(const Standings& standings, std::string& out);
void write_knockout(const Standings& standings, std::string& out);
void write_swiss(const Standings& standings, std::string& out);
void write_standings(const Standings& standings, std::string& out);
void write_games(const Standings& standings, std::string& out);

}  // namespace scidfs::fs
