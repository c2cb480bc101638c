// The material of both sides: `KRPvKR`, `KQ+vKP+`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/material_target.h"

namespace scidfs::fs {

// A pattern that gives each side a king, then letters of pieces: a letter for each piece; `+` after
// a letter means that many or more. Either color may have either side. The index counts queens,
// rooks, bishops and knights up to three, so three of them mean three or more. A value.
class MaterialPattern {
 public:
  // Returns nothing if the text is no pattern. Accepts lower-case letters and letters in any order.
  static std::optional<MaterialPattern> parse(std::string_view text);
  // Returns one text for all patterns with the same meaning.
  std::string text() const;

  // Returns whether the pattern matches material as IndexEntry has it.
  bool contains(std::uint32_t material) const;
  // Returns what the pattern requires of a position. Either color may have either side.
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
