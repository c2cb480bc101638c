// The players and games of an event, and the standings. Only for the crosstable.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fs/crosstable/crosstable.h"

namespace scidfs::fs {

struct Standing {
  std::uint32_t id = 0;
  std::string_view name;
  codec::Rating rating{};
  std::uint32_t points = 0;  // in halves
  std::uint32_t games = 0;   // including games without a result
  std::uint32_t wins = 0, draws = 0, losses = 0;
  std::uint64_t tie_break = 0;  // Sonneborn-Berger in quarters, Buchholz in halves
  std::uint32_t stage = 0;      // how far in a knockout: higher is farther; elsewhere 0
};

// A round as written: "3.2" is number 3, part 2 (a board, or a game of a mini-match).
struct Round {
  std::uint32_t number = 0;  // 0: not known
  std::uint32_t part = 0;

  friend bool operator==(const Round&, const Round&) = default;
};
Round parse_round(std::string_view text);

struct RankedGame {
  std::uint32_t white = 0, black = 0;  // indices into Standings::players; always different
  Round round;
  const CrosstableGame* game = nullptr;
};

// A game without an opponent: a bye, or an opponent without a name.
struct UnpairedGame {
  std::uint32_t player = 0;  // index into Standings::players
  codec::Color color = codec::Color::White;
  Round round;
  const CrosstableGame* game = nullptr;
};

// Returns whether a name means no player: BYE in upper or lower case and between any signs, `?` or
// nothing.
bool is_no_player(std::string_view name);

// Returns the score of a game for one side: 2, 1 or 0 halves of a point.
constexpr unsigned half_points(codec::Result result, codec::Color color) {
  if (result == codec::Result::Draw) return 1;
  const auto win =
      color == codec::Color::White ? codec::Result::WhiteWins : codec::Result::BlackWins;
  return result == win ? 2 : 0;
}

// Adds a game to the results of a player.
void count_game(codec::Result result, codec::Color color, Standing& player);

enum class TieBreak { None, SonnebornBerger, Buchholz };

struct Standings {
  std::vector<Standing> players;
  // In the order of play: by round if all rounds are known, then date, then part of the round (last
  // because a part may be a board); otherwise in the order of the input.
  std::vector<RankedGame> games;
  std::vector<UnpairedGame> unpaired;  // in the order of the input
  std::uint32_t left_out = 0;          // games of a player against themselves
  std::uint32_t nameless = 0;          // games without any player
};

// Collects the players in the order in which they appear; does not compute tie-breaks. The result
// refers to `games`.
Standings collect_standings(std::span<const CrosstableGame> games);

// Computes the tie-breaks and puts the best player first. REQUIRES: stages are set.
void rank_players(TieBreak tie_break, Standings& standings);

}  // namespace scidfs::fs
