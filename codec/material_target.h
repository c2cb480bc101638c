// Material to search for: how many pieces of each kind the sides have, and what these are worth.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/types.h"

namespace scidfs::codec {

// The least and the greatest number of pieces of each kind, for two sides. A plain value.
struct MaterialTarget {
  static constexpr std::size_t kKinds = kPieceTypes - 1;  // queen to pawn, as in PieceType
  static constexpr std::uint8_t kAnyNumber = 15;          // as many as a side can have

  struct Side {
    std::array<std::uint8_t, kKinds> least{};
    std::array<std::uint8_t, kKinds> most{};  // at most kAnyNumber
  };
  // Each may be the material of either color.
  std::array<Side, 2> sides;
};

// White's material minus Black's, with a pawn worth 1, a knight or bishop 3, a rook 5, a queen 9.
// Both ends are included. A plain value.
struct BalanceTarget {
  static constexpr int kMost = 135;  // fifteen queens against none

  int least = -kMost;
  int most = kMost;
};

// One bishop of each side, and the colors of their squares.
enum class BishopsTarget : std::uint8_t { Opposite, Same };

}  // namespace scidfs::codec
