// Wins, draws and losses.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cstdint>
#include <string>

#include "codec/types.h"

namespace scidfs::fs {

// How a game ended for one side.
enum class Outcome : std::uint8_t { Win, Draw, Loss, Unknown };

constexpr Outcome outcome_of(codec::Result result, codec::Color side) {
  constexpr std::array<Outcome, 4> kOfWhite = {Outcome::Unknown, Outcome::Win, Outcome::Loss,
                                               Outcome::Draw};
  constexpr std::array<Outcome, 4> kOfBlack = {Outcome::Unknown, Outcome::Loss, Outcome::Win,
                                               Outcome::Draw};
  return (side == codec::Color::White ? kOfWhite : kOfBlack)[static_cast<std::size_t>(result) & 3];
}

// Numbers of games by their outcome for one side. Games with an unknown result count only as games.
struct Score {
  std::array<std::uint32_t, 4> games{};

  void add(Outcome outcome, std::uint32_t count = 1) {
    games[static_cast<std::size_t>(outcome)] += count;
  }
  Score& operator+=(const Score& other) {
    for (std::size_t i = 0; i < games.size(); ++i) games[i] += other.games[i];
    return *this;
  }

  std::uint32_t operator[](Outcome outcome) const {
    return games[static_cast<std::size_t>(outcome)];
  }
  std::uint32_t decided() const { return games[0] + games[1] + games[2]; }
  std::uint32_t all() const { return decided() + games[3]; }
  // Returns the points in halves.
  std::uint64_t points() const { return std::uint64_t{2} * games[0] + games[1]; }
  // Returns the same games from the other side.
  Score reversed() const { return {{games[2], games[1], games[0], games[3]}}; }
  // Returns games, which count as White sees them, as a side sees them.
  Score seen_by(codec::Color side) const {
    return side == codec::Color::White ? *this : reversed();
  }
};

// The results of a player with either color. A game in which the player has both, `?` against `?`
// or training, is one game, but each side has its result: a decided one is a win and a loss, a draw
// two draws, which is one point in total.
struct ScoreByColor {
  std::array<Score, 2> by_color{};
  std::uint32_t against_self = 0;  // games that count in both

  const Score& operator[](codec::Color color) const {
    return by_color[static_cast<std::size_t>(color)];
  }
  ScoreByColor& operator+=(const ScoreByColor& other) {
    for (std::size_t i = 0; i < by_color.size(); ++i) by_color[i] += other.by_color[i];
    against_self += other.against_self;
    return *this;
  }

  // Adds a game in which the player has White, Black or both.
  void add(codec::Result result, bool white, bool black) {
    if (white) by_color[0].add(outcome_of(result, codec::Color::White));
    if (black) by_color[1].add(outcome_of(result, codec::Color::Black));
    if (white && black) ++against_self;
  }

  std::uint32_t games() const { return by_color[0].all() + by_color[1].all() - against_self; }
  // Returns the results of both colors together.
  Score results() const {
    Score both = by_color[0];
    return both += by_color[1];
  }
};

// Returns 625 for 5 and 8, rounded half up. REQUIRES: whole != 0.
constexpr std::uint64_t tenths_of_percent(std::uint64_t part, std::uint64_t whole) {
  assert(whole != 0);
  return (2000 * part + whole) / (2 * whole);
}

// Returns "62.5" for 5 and 8.
inline std::string percent(std::uint64_t part, std::uint64_t whole) {
  const std::uint64_t tenths = tenths_of_percent(part, whole);
  return fmt::format("{}.{}", tenths / 10, tenths % 10);
}

// Returns the percentage of the possible points, as percent() writes it; empty without a known
// result.
inline std::string percent_of(const Score& score) {
  if (score.decided() == 0) return {};
  return percent(score.points(), std::uint64_t{2} * score.decided());
}

}  // namespace scidfs::fs
