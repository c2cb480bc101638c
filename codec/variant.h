// The values of the tag Variant.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "codec/unicode.h"

namespace scidfs::codec {

// Returns the value by which variants are compared: in small letters, without signs and blanks.
inline std::string folded_variant(std::string_view value) {
  std::string folded;
  for (const char c : value) {
    if (static_cast<unsigned char>(c) > ' ' && c != '-' && c != '_' && c != '?' && c != '.') {
      folded += to_ascii_lower(c);
    }
  }
  return folded;
}

// Returns whether the value is one of the names of Chess960: "Chess 960", "fischerandom", "FRC",
// "Freestyle Chess", "Chess 9LX".
inline bool names_chess960(std::string_view value) {
  constexpr std::array<std::string_view, 6> kNames = {"960", "fischer", "freestyle",
                                                      "frc", "wild/fr", "9lx"};
  if (value.empty()) return false;
  const std::string folded = folded_variant(value);
  return std::ranges::any_of(
      kNames, [&folded](std::string_view name) { return folded.find(name) != std::string::npos; });
}

// Returns whether the value names chess as it is played everywhere, from any position, or a variant
// in which each move is one of chess.
inline bool names_chess(std::string_view value) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"",        "chess",      "normal",         "standard",   "standardchess", "fromposition",
       "regular", "classical",  "orthodox",       "fide",       "blitz",         "bullet",
       "rapid",   "lightning",  "correspondence", "threecheck", "3check",        "kingofthehill",
       "koth",    "racingkings"});
  if (value.empty()) return true;
  const std::string folded = folded_variant(value);
  return std::ranges::find(kNames, folded) != kNames.end() || folded.starts_with("wild/");
}

}  // namespace scidfs::codec
