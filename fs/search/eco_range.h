// Codes of openings by what they begin with: `B`, `B9`, `B90`, `B90a`, or a range, `A40..B`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/eco.h"

namespace scidfs::fs {

// Both ends are included, with all codes that begin as they do. A value.
struct EcoRange {
  codec::EcoCode first = 1;
  codec::EcoCode last = codec::kMaxEco;

  // Nothing if the text is no range, or if it ends before it begins.
  static std::optional<EcoRange> parse(std::string_view text);
  // The shortest text of the range.
  std::string text() const;

  friend bool operator==(const EcoRange&, const EcoRange&) = default;
};

}  // namespace scidfs::fs
