// Groups of games that agree with each other; no group contradicts itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "fs/database/game_list.h"
#include "fs/duplicates/double_lines.h"
#include "fs/duplicates/known_facts.h"

namespace scidfs::fs {

// The moves of some games, and the number of the longest other line that they begin with; that
// number is lower. kNoLine: there is no such line.
struct RelatedLine {
  std::uint32_t plies = 0;
  std::uint32_t beginning = kNoLine;
};

inline constexpr std::uint32_t kNoGroup = ~std::uint32_t{0};

// A game with its line. group_doubles() fills in the other members.
struct RelatedGame {
  std::uint32_t line = kNoLine;
  KnownFacts facts{};
  GameIndex game = kNoGame;
  std::uint32_t group = kNoGroup;
  // A game of no group or another group that this one agrees with just as well.
  GameIndex other = kNoGame;
};

// Puts games into groups and returns the number of groups, of which some have one game.
//
// Two games agree if one begins with the other's moves and they differ in no fact that is known of
// both. This does not define groups: a short game, or one with few known facts, may agree with
// several games that contradict each other. So this takes one game after the other: the longest
// first, of equally long ones the one with most known facts, then in their order. Each game joins
// the group with all of whose games it agrees; of several such groups that of the longest game,
// then the first. If there is no such group, the game starts one. So no two games of a group
// contradict each other, and games with the same known facts and moves are in one group.
//
// For each game, looks at no more than kMostCompared groups that it may join.
//
// REQUIRES: lines are ascending by plies; games are of one pair of players, ascending by line.
inline constexpr std::size_t kMostCompared = 1000;
std::uint32_t group_doubles(std::span<const RelatedLine> lines, std::span<RelatedGame> games);

}  // namespace scidfs::fs
