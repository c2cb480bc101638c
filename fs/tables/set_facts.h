// The counts of summary.txt, other than those of players and openings.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "codec/types.h"
#include "fs/database/game_set.h"
#include "fs/database/index_file.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/score.h"
#include "fs/scan/subject.h"
#include "fs/tables/opening_scores.h"

namespace scidfs::fs {

// Elo ratings of some sides of games. Of equal ratings the first game counts, and White before
// Black.
struct Ratings {
  Average average;
  std::uint64_t sides = 0;    // with a rating or without
  std::uint32_t highest = 0;  // 0: none
  GameOfPart game;            // the game with that rating
  codec::Color color{};       // the side with that rating

  void add(std::uint32_t elo, GameOfPart of, codec::Color side);
  Ratings& operator+=(const Ratings& other);
};

// A game and its length; of games of equal length the first.
struct GameLength {
  std::uint32_t plies = 0;  // 0: no game
  GameOfPart game;
};

// The counts of one thread, or of all together.
struct SetFacts {
  // With a subject, the subject's score by color; otherwise White's score, with nothing for Black.
  ScoreByColor score;
  std::vector<std::uint32_t> years;  // games by year; unknown years are year 0
  Ratings own;                       // of the subject, or of all players without one
  Ratings opponents;                 // of the subject
  // With a subject, its highest Elo in each month, by year * kMonths + month; 0: none is known. An
  // unknown year is year 0, an unknown month month 0.
  static constexpr std::size_t kMonths = 13;
  std::vector<std::uint16_t> elo_by_month;
  // Only games that have moves.
  GameLength longest;
  GameLength shortest;

  SetFacts();

  // Adds games of a part; `subject` may be null. Reads the players only if there is a subject, and
  // all other columns of ColumnBatch except codes.
  void add(std::uint32_t part, const ColumnBatch& rows, const Subject* subject);
  // Returns whether a block with such games may have a longer or a shorter one. REQUIRES: all games
  // added so far come before the block.
  bool may_be_surpassed(const PlyRange& plies) const;
  void add(const GameLength& length);
  SetFacts& operator+=(const SetFacts& other);
};

}  // namespace scidfs::fs
