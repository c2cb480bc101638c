// What summary.txt counts of a set besides its players.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/types.h"
#include "fs/database/database.h"
#include "fs/sets/opening_scores.h"
#include "fs/sets/score.h"
#include "fs/sets/set_walk.h"
#include "fs/sets/subject.h"

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

struct SetFacts {
  // With a subject its own, by colour; otherwise those of White, and nothing for Black.
  std::array<Score, 2> scores{};
  std::vector<std::uint32_t> years;  // games by year; those of an unknown one first
  Ratings own;                       // of the subject, or of all players without one
  Ratings opponents;                 // of the subject
  // Of games that have moves.
  GameLength longest;
  GameLength shortest;

  SetFacts();
  SetFacts& operator+=(const SetFacts& other);
};

// Reads the index file: plies are nowhere else. Errors: Cancelled; those of the file.
absl::StatusOr<SetFacts> set_facts(const Database& database, const SetWalk& walk,
                                   const std::optional<Subject>& subject, const Effort& effort);

}  // namespace scidfs::fs
