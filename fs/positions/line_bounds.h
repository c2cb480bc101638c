// Which lines a file of lines has: lines/plies=24,games=3.pgn,
// lines/best=20,side=white.pgn.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/types.h"

namespace scidfs::fs {

// A plain value.
struct LineBounds {
  static constexpr std::uint32_t kMostPlies = 200;

  // The side whose repertoire it is: the lines have one of its moves in each position, and any of
  // the other side's. Nothing: any move of both.
  std::optional<codec::Color> side{};
  std::uint32_t plies = 40;  // of each line, from the position in which the lines begin
  // The fewest games of a move; 0: the smallest number from 2 on that leaves few enough moves.
  std::uint32_t games = 0;
  // The move of a repertoire is the one with the best score among those with so many games; 0: the
  // one with most games.
  std::uint32_t best = 0;

  friend bool operator==(const LineBounds&, const LineBounds&) = default;
};

// Parses `plies=24,games=3,best=20,side=white`: any of these, each at most once, in any order; no
// `best` without `side`. Errors: InvalidArgument, with a reason for users.
absl::StatusOr<LineBounds> parse_line_bounds(std::string_view text);
// Returns the text that means the bounds: equal bounds have one text.
std::string line_bounds_text(const LineBounds& bounds);

}  // namespace scidfs::fs
