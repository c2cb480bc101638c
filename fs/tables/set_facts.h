// What summary.txt counts of a set besides players and openings.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/types.h"
#include "fs/database/index_file.h"
#include "fs/scan/column_batch.h"
#include "fs/scan/score.h"
#include "fs/scan/subject.h"
#include "fs/tables/opening_scores.h"

namespace scidfs::fs {

// Ratings of some sides of games. Of equal ones the first game counts, and White before Black.
struct Ratings {
  Average average;
  std::uint64_t sides = 0;    // with a rating or without
  std::uint32_t highest = 0;  // 0: none
  GameIndex game = kNoGame;   // in which somebody had it
  codec::Color color{};       // who that was

  void add(std::uint32_t elo, GameIndex of, codec::Color side);
  Ratings& operator+=(const Ratings& other);
};

// A game and its length; of equal ones the first.
struct GameLength {
  std::uint32_t plies = 0;  // 0: no game
  GameIndex game = kNoGame;
};

// What one thread has counted, or all together.
struct SetFacts {
  // With a subject its own, by colour; otherwise those of White, and nothing for Black.
  ScoreByColor score;
  std::vector<std::uint32_t> years;  // games by year; those of an unknown one first
  Ratings own;                       // of the subject, or of all players without one
  Ratings opponents;                 // of the subject
  // Of games that have moves.
  GameLength longest;
  GameLength shortest;

  SetFacts();

  // Takes players only with a subject, and all else that ColumnBatch has but codes.
  void add(const ColumnBatch& rows, const std::optional<Subject>& subject);
  // Whether a block with such games may have a longer or a shorter one. REQUIRES: all games that
  // have been added come before it.
  bool may_be_surpassed(const PlyRange& plies) const;
  void add(const GameLength& length);
  SetFacts& operator+=(const SetFacts& other);
};

}  // namespace scidfs::fs
