// A number or a range of numbers: `2013`, `2010..2015`, `2700..`, `..40`, `-0.3..0.3`. Windows
// cannot hold a name that ends in dots: `from2700` and `to40` mean the same as `2700..` and `..40`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace scidfs::fs {

// A range that includes both ends. Numbers with decimals are kept as whole ones: with two decimals
// 150 is 1.5. A value.
struct NumberRange {
  static constexpr std::int64_t kNoEnd = std::numeric_limits<std::int64_t>::max();

  std::int64_t first = 0;
  std::int64_t last = kNoEnd;

  bool contains(std::int64_t number) const { return number >= first && number <= last; }

  // The text of a range, split at its `..`, also one with `from` or `to`. `last` is nothing if the
  // text is no range.
  struct Ends {
    std::string_view first;
    std::optional<std::string_view> last;
  };
  static Ends split(std::string_view text);

  // Parses a range whose numbers lie within the bounds. An open end becomes the lower bound or
  // kNoEnd. A number has `decimals` decimals at most. Returns nothing if the text is no range, or
  // if the range ends before it begins.
  static std::optional<NumberRange> parse(std::string_view text, std::int64_t least,
                                          std::int64_t most, std::size_t decimals = 0);
  // Returns the shortest text of the range. REQUIRES: `least` and `decimals` as for parse().
  std::string text(std::int64_t least, std::size_t decimals = 0) const;
};

}  // namespace scidfs::fs
