// Crosstables: the games of one event as the table that a tournament player expects.
//
// The games alone decide how it looks, see CrosstableLayout. Whatever the layout:
//  - a header says the event, its site and dates, how many players and games there were, and the
//    average rating (of a round robin whose players all have one, its FIDE category too);
//  - of a round robin it says how many games are missing;
//  - players are ranked by points, then by the tie-break of the layout, rating, name and id, in a
//    knockout by how far they came before all that;
//  - a win is 1, a draw ½, a loss 0 and a game without a result `*`, which counts as no points;
//  - a game of a player against himself counts for nothing and is only mentioned;
//  - BYE, an empty name and `?` are no players: a game against them counts for the other one, with
//    its points, but not for tie-breaks.
// The same games in the same order give the same text. It is valid UTF-8 if the names are.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codec/types.h"

namespace scidfs::fs {

// One game of the event. Players are told apart by id; of the names and ratings that an id has, the
// first one in the order of games (of ratings: the first that is not 0) is shown.
struct CrosstableGame {
  std::string_view white, black;
  std::uint32_t white_id = 0, black_id = 0;
  std::uint16_t white_elo = 0, black_elo = 0;  // 0: none
  std::string_view round;                      // "3", "3.2" (round 3), "?"
  codec::Result result = codec::Result::Unknown;
  codec::Date date;
};

struct CrosstableInfo {
  std::string_view event, site;
};

enum class CrosstableLayout {
  // Two players: a cell per game, then points, wins, draws and losses.
  Match,
  // Up to 30 players of whom somebody met nearly all, and more than half of the pairs met (or
  // rounds are not known): a cell per opponent, Sonneborn-Berger. A cell of several games shows
  // them in the order of play ("½1"), one of many the points of all ("5½/10").
  RoundRobin,
  // A cup that is there as a whole: the pairs of each stage, with a cell per game. See
  // find_knockout().
  Knockout,
  // Others whose rounds are known: a cell per round with opponent, colour and result
  // ("12w½"), Buchholz. Several games of a round follow each other ("12w½b1", "12w1,7b0").
  Swiss,
  // What fits none of these, as a simultaneous display does, where one player has all games: the
  // points of all, then the games one by one.
  GameList,
  // What is too large for any of these: the points of all (of the first 10,000).
  StandingsOnly,
};

// The layout that format_crosstable() chooses.
CrosstableLayout crosstable_layout(std::span<const CrosstableGame> games);

// Time and memory grow with the number of games, and of players up to 1,000 with what is shown.
std::string format_crosstable(const CrosstableInfo& info, std::span<const CrosstableGame> games);

}  // namespace scidfs::fs
