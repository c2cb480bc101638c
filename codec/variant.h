// The values of the tag Variant.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "codec/unicode.h"

namespace scidfs::codec {

// Returns whether the value is one of the names of Chess960: "Chess 960", "fischerandom",
// "Freestyle Chess".
inline bool names_chess960(std::string_view value) {
  constexpr std::array<std::string_view, 3> kNames = {"960", "fischer", "freestyle"};
  std::string folded(value);
  std::ranges::transform(folded, folded.begin(), to_ascii_lower);
  return std::ranges::any_of(
      kNames, [&folded](std::string_view name) { return folded.find(name) != std::string::npos; });
}

// Returns whether the value names chess as it is played everywhere, from any position.
inline bool names_chess(std::string_view value) {
  constexpr std::array<std::string_view, 7> kNames = {
      "", "?", "-", "chess", "normal", "standard", "from position"};
  std::string folded(value);
  std::ranges::transform(folded, folded.begin(), to_ascii_lower);
  return std::ranges::find(kNames, folded) != kNames.end();
}

}  // namespace scidfs::codec
