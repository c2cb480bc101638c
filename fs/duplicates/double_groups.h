// How games that agree with each other are made groups, none of which contradicts itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fs/database/game_list.h"
#include "fs/duplicates/double_lines.h"
#include "fs/duplicates/known_facts.h"

namespace scidfs::fs {

// Moves that some games consist of, and the longest of the other lines that they begin with: its
// number, which is lower, or kNoLine.
struct RelatedLine {
  std::uint32_t plies = 0;
  std::uint32_t beginning = kNoLine;
};

inline constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};

// A game with its line. The rest is for group_doubles() to say.
struct RelatedGame {
  std::uint32_t line = kNoLine;
  KnownFacts facts{};
  GameIndex game = kNoGame;
  std::uint32_t group = kNoGroup;
  // A game that it agrees with just as well, and that is of another group or none.
  GameIndex other = kNoGame;
};

// Two games agree if one begins with the other's moves and no fact that is known of both differs.
// That alone makes no groups: what is short or little known may agree with several that contradict
// each other. So the games are taken one after the other, the longest first, of equal ones that of
// which most is known, then in their order. Each goes to the group with all of whose games it
// agrees; of several to that of the longest game, of which the first; and is a group of its own if
// there is none. So two games of a group never contradict each other, and games that are the same
// in all that is known are in one group. Returns how many groups there are; some are of one game.
//
// Of more than kMostCompared groups to which a game may go only so many are looked at.
//
// REQUIRES: lines are ascending by plies; games are of one pair of players, ascending by line.
inline constexpr std::size_t kMostCompared = 1000;
std::uint32_t group_doubles(std::span<const RelatedLine> lines, std::span<RelatedGame> games);

}  // namespace scidfs::fs
