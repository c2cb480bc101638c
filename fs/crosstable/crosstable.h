// Crosstables: the games of one event as the table that a tournament player expects.
//
// Only the games decide the layout, see CrosstableLayout. In all layouts:
//  - a header gives the event, its site and dates, the numbers of players and games, and the
//    average Elo rating (for a round robin that lacks hardly a pair and whose players all have
//    one, its FIDE category too);
//  - for a round robin it gives the number of missing games;
//  - players are ranked by points, then by the tie-break of the layout, rating, name and id; in a
//    knockout first by how far they came;
//  - a win is 1, a draw ½, a loss 0 and a game without a result `*`, which counts as no points;
//  - a game of a player against themselves does not count and is only mentioned;
//  - BYE, an empty name and `?` are no players: a game against them counts for the opponent, with
//    its points, but not for tie-breaks.
// The same games in the same order give the same text. It is valid UTF-8 if the names are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codec/types.h"

namespace scidfs::fs {

// One game of the event. Ids identify players. If an id has several names or ratings, the
// crosstable shows the first in the order of games (of ratings: the first that is not 0).
struct CrosstableGame {
  std::string_view white, black;
  std::uint32_t white_id = 0, black_id = 0;
  codec::Rating white_rating{}, black_rating{};
  std::string_view round;  // "3", "3.2" (round 3), "?"
  codec::Result result = codec::Result::Unknown;
  codec::Date date;
};

struct CrosstableInfo {
  std::string_view event, site;
};

enum class CrosstableLayout {
  // Two players: a cell per game, then points, wins, draws and losses.
  Match,
  // Up to 30 players of whom at least one met nearly all others, and more than half of the pairs
  // met (or rounds are not known): a cell per opponent, Sonneborn-Berger. A cell of several games
  // shows them in the order of play ("½1"), a cell of many games their total points ("5½/10").
  RoundRobin,
  // A complete cup: the pairs of each stage, with a cell per game. See find_knockout().
  Knockout,
  // Other events whose rounds are known: a cell per round with opponent, color and result ("12w½"),
  // Buchholz. Several games of a round follow each other ("12w½b1", "12w1,7b0").
  Swiss,
  // Events that fit no other layout, such as a simultaneous display, where one player has all
  // games: the points of all players, then each game.
  GameList,
  // Events that are too large for all other layouts: the points of all players (of the first
  // 10,000).
  StandingsOnly,
};

// Returns the layout that format_crosstable() chooses.
CrosstableLayout crosstable_layout(std::span<const CrosstableGame> games);

// Returns the crosstable as text. Time and memory grow with the number of games, and for up to
// 1,000 players with the size of the text.
std::string format_crosstable(const CrosstableInfo& info, std::span<const CrosstableGame> games);

}  // namespace scidfs::fs
