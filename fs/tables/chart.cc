#include "fs/tables/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>

namespace scidfs::fs {

std::string grouped(std::uint64_t number) {
  std::string digits = fmt::to_string(number);
  constexpr std::size_t kGroup = 3;
  for (std::size_t at = digits.size(); at > kGroup;) digits.insert(at -= kGroup, 1, ',');
  return digits;
}

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : "s");
}

std::string with_sign(const std::string& percentage) {
  return percentage.empty() ? percentage : percentage + '%';
}

std::string bar(std::uint64_t count, std::uint64_t most, std::size_t width) {
  assert(count <= most);
  constexpr std::array<std::string_view, 8> kParts = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (count == 0) return {};
  const std::uint64_t eighths =
      std::max<std::uint64_t>(1, (2 * count * width * kParts.size() + most) / (2 * most));
  std::string text;
  for (std::uint64_t i = 0; i < eighths / kParts.size(); ++i) text += "█";
  text += kParts[eighths % kParts.size()];
  return text;
}

std::vector<std::string> column_chart(std::span<const std::uint32_t> numbers, std::size_t height) {
  assert(height > 1);
  constexpr std::array<std::string_view, 9> kParts = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr std::uint64_t kFull = kParts.size() - 1;
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  for (const std::uint32_t number : numbers) {
    if (number == 0) continue;
    least = least == 0 ? number : std::min(least, number);
    most = std::max(most, number);
  }
  if (most == 0) return {};
  const std::size_t width = fmt::to_string(most).size();
  std::vector<std::string> lines;
  for (std::size_t line = height; line-- > 0;) {
    std::string label = line + 1 == height ? fmt::to_string(most) : "";
    if (line == 0) label = fmt::to_string(least);
    std::string text = fmt::format("{:>{}} ", label, width);
    for (const std::uint32_t number : numbers) {
      // If all numbers are equal, the columns are half as high as the chart.
      const std::uint64_t steps = height * kFull - 1;
      const std::uint64_t above = number == 0     ? 0
                                  : most == least ? steps / 2
                                                  : (number - least) * steps / (most - least);
      const std::uint64_t eighths = number == 0 ? 0 : above + 1;
      const std::uint64_t below = line * kFull;
      text += kParts[eighths <= below ? 0 : std::min(eighths - below, kFull)];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    lines.push_back(std::move(text));
  }
  return lines;
}

std::vector<YearSpan> year_spans(std::span<const std::uint32_t> years) {
  constexpr std::size_t kMostSpans = 25;
  constexpr std::uint64_t kFewInAll = 200;  // so few games are not worth longer spans
  const auto has_games = [&](std::size_t year) { return years[year] != 0; };
  std::size_t first = 1;
  while (first < years.size() && !has_games(first)) ++first;
  if (first >= years.size()) return {};
  std::size_t last = years.size() - 1;
  while (!has_games(last)) --last;

  const auto games_in = [&](std::size_t begin, std::size_t end) {
    return std::accumulate(years.begin() + static_cast<std::ptrdiff_t>(begin),
                           years.begin() + static_cast<std::ptrdiff_t>(end), std::uint64_t{0});
  };
  const std::uint64_t all = games_in(first, last + 1);
  std::size_t begin = first;
  if (last - first >= kMostSpans) {
    for (std::uint64_t before = years[begin]; before <= all / kFewInAll; before += years[begin]) {
      ++begin;
    }
  }
  std::size_t length = 1;
  for (const std::size_t longer : {1, 5, 10, 20, 50, 100}) {
    length = longer;
    if (last / length - begin / length < kMostSpans) break;
  }
  begin = begin / length * length;
  std::vector<YearSpan> spans;
  if (begin > first) {
    spans.push_back({.first = 0,
                     .last = static_cast<std::uint32_t>(begin - 1),
                     .games = games_in(first, begin)});
  }
  for (; begin <= last; begin += length) {
    const std::size_t end = std::min(begin + length, years.size());
    const std::size_t known = std::max<std::size_t>(begin, 1);
    spans.push_back({.first = static_cast<std::uint32_t>(known),
                     .last = static_cast<std::uint32_t>(begin + length - 1),
                     .games = games_in(known, end)});
  }
  return spans;
}

}  // namespace scidfs::fs
