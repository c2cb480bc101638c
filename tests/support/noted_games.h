// Games with NAGs and with commands in comments, and what the PGN text shows of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codec/types.h"
#include "tests/support/random_game.h"

namespace scidfs::tests {

// The record of a random game with evaluations, clocks, NAGs that replace others, notes after
// variations, variations without moves, and texts without comment markers. No move has more than
// seven NAGs.
std::string noted_record(Random& random, std::size_t plies);

// Find the first command in comments, by the patterns of the package chess of Python and those of
// ChessBase. Evaluations are hundredths of a pawn for White, clocks seconds.
std::optional<std::int64_t> eval_by_pattern(const std::string& comments, codec::Color to_move);
std::optional<std::int64_t> clock_by_pattern(const std::string& comments);

// The notes of a game by its PGN text.
struct ShownNotes {
  using Values = std::vector<std::optional<std::int64_t>>;  // at each position of the main line

  std::vector<std::string> comments;  // at each position of the main line
  // With their plies: in variations that of the position in which the outermost one begins.
  std::vector<std::pair<std::uint32_t, std::int64_t>> nags;
  codec::Color first_to_move = codec::Color::White;

  codec::Color to_move(std::size_t ply) const {
    return ply % 2 == 0 ? first_to_move : ~first_to_move;
  }
  Values evals() const;
  Values swings() const;
  Values clocks() const;
};
ShownNotes shown_notes(const std::string& pgn);

// The first ply with a value of a range.
std::optional<std::uint32_t> first_in(const ShownNotes::Values& values, std::int64_t first,
                                      std::int64_t last);
// Those that are known.
std::vector<std::int64_t> known_of(const ShownNotes::Values& values);

}  // namespace scidfs::tests
