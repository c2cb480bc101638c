// A pattern of men on the board: which stand where, for how long.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/bitboard.h"
#include "codec/types.h"

namespace scidfs::codec {

// The kinds of contents of squares that patterns name: the men of White and then of Black in the
// order of PieceType, any man of White, any man of Black, nothing.
using SquareKind = std::uint8_t;
inline constexpr SquareKind kAnyWhite = 2 * kPieceTypes;
inline constexpr SquareKind kAnyBlack = kAnyWhite + 1;
inline constexpr SquareKind kEmptySquare = kAnyBlack + 1;
inline constexpr std::size_t kSquareKinds = kEmptySquare + std::size_t{1};

constexpr SquareKind kind_of(Color color, PieceType type) {
  return static_cast<SquareKind>(static_cast<std::size_t>(color) * kPieceTypes +
                                 static_cast<std::size_t>(type));
}

// The squares with each kind of contents.
using SquaresByKind = std::array<Bitboard, kSquareKinds>;

// A value. All of it must be true of a position.
struct BoardPattern {
  // At least `least` of the squares have contents of the kind.
  struct Rule {
    Bitboard squares = 0;
    SquareKind kind = 0;
    std::uint8_t least = 1;
  };

  std::vector<Rule> rules;
  // By color: all pawns of the side stand on these squares, one on each.
  std::array<std::optional<Bitboard>, 2> pawns{};
  // How many consecutive positions the pattern must be true of; at least 1.
  std::uint32_t positions = 1;
};

}  // namespace scidfs::codec
