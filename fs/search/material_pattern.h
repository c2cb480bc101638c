// What both sides have on the board: `KRPvKR`, `KQ+vKP+`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/material_target.h"

namespace scidfs::fs {

// A king each, then letters of pieces, as many of a letter as there are pieces; `+` after a letter:
// that many or more. Either colour may have either side. The index counts queens, rooks, bishops
// and knights up to three, so that three of them mean three or more. A value.
class MaterialPattern {
 public:
  // Nothing if the text is none. Letters may be small; their order does not matter.
  static std::optional<MaterialPattern> parse(std::string_view text);
  // One text for all that mean the same.
  std::string text() const;

  // Takes material as IndexEntry has it.
  bool contains(std::uint32_t material) const;
  // What this says of any position. Either colour may have either side.
  codec::MaterialTarget target() const;

 private:
  // Queen, rook, bishop, knight, pawn.
  static constexpr std::size_t kPieces = codec::MaterialTarget::kKinds;
  struct Count {
    std::uint8_t least = 0;
    bool or_more = false;
  };
  using Side = std::array<Count, kPieces>;

  static std::optional<Side> parse_side(std::string_view text);
  static std::string side_text(const Side& side);
  static bool has(const Side& side, std::uint32_t material);

  std::array<Side, 2> sides_;  // the one with the greater text first
};

}  // namespace scidfs::fs
