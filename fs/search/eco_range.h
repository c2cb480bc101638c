// ECO codes by their beginning: `B`, `B9`, `B90`, `B90a`, or a range, `A40..B`, `fromB90`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/eco.h"

namespace scidfs::fs {

// A range that includes both ends and all codes that begin as the ends do. A value.
struct EcoRange {
  codec::EcoCode first = 1;
  codec::EcoCode last = codec::kMaxEco;

  // Returns nothing if the text is no range, or if the range ends before it begins.
  static std::optional<EcoRange> parse(std::string_view text);
  // Returns the shortest text of the range.
  std::string text() const;

  friend bool operator==(const EcoRange&, const EcoRange&) = default;
};

}  // namespace scidfs::fs
