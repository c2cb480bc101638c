// Material to search for: how many pieces of each kind the sides have.
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

}  // namespace scidfs::codec
