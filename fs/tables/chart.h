// Numbers and bars for users to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::fs {

// Returns "1,234,567".
std::string grouped(std::uint64_t number);
// Returns "1 game" or "1,234 games".
std::string counted(std::uint64_t number, std::string_view what);
// Returns "52.1%"; nothing for an empty percentage.
std::string with_sign(const std::string& percentage);

// Returns a bar of block characters, `width` of them for `most`, exact to an eighth of one. Shows
// at least the thinnest bar unless `count` is 0. REQUIRES: count <= most.
std::string bar(std::uint64_t count, std::uint64_t most, std::size_t width);

// Returns the lines of a chart of block characters: a column for each number, `height` lines high.
// A column's height is the difference of its number from the least; the least gets an eighth of a
// line; 0 means unknown and leaves a gap. The greatest and the least number stand at the start of
// the first and the last line. Lines do not end with blanks. Returns nothing if no number is known.
// REQUIRES: height > 1.
std::vector<std::string> column_chart(std::span<const std::uint32_t> numbers, std::size_t height);

// A span of years and its games.
struct YearSpan {
  std::uint32_t first = 0;  // 0: all years up to the last one
  std::uint32_t last = 0;
  std::uint64_t games = 0;
};

// Returns the years from the first to the last that have games, in at most 26 spans of equal
// length; each begins with a year that is a multiple of the length. If a few early years would make
// the spans longer, they form one span. `years`: games by year; year 0 does not count.
std::vector<YearSpan> year_spans(std::span<const std::uint32_t> years);

}  // namespace scidfs::fs
