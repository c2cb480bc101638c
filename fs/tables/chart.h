// Numbers and bars for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::fs {

// "1,234,567".
std::string grouped(std::uint64_t number);
// "1 game", "1,234 games".
std::string counted(std::uint64_t number, std::string_view what);

// A bar of block characters, `width` of them for `most`, exact to an eighth of one; at least the
// thinnest unless `count` is 0. REQUIRES: count <= most.
std::string bar(std::uint64_t count, std::uint64_t most, std::size_t width);

// A chart of block characters, a column for each number, `height` lines high: each is as high as it
// is above the least of them, the least an eighth of a line; 0 is unknown, a gap. The greatest and
// the least number stand before the first and the last line. No blanks at the end of a line;
// nothing if no number is known. REQUIRES: height > 1.
std::vector<std::string> column_chart(std::span<const std::uint32_t> numbers, std::size_t height);

// Some years and what happened in them.
struct YearSpan {
  std::uint32_t first = 0;  // 0: all years up to the last one
  std::uint32_t last = 0;
  std::uint64_t games = 0;
};

// The years from the first to the last that have games, in at most 26 spans of equal length, which
// begin with years that are multiples of it. A few early ones that would make the spans longer are
// one span. `years`: games by year; year 0 does not count.
std::vector<YearSpan> year_spans(std::span<const std::uint32_t> years);

}  // namespace scidfs::fs
