#include "fs/search/facet_list.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace scidfs::fs {
namespace {

// Merges ranges of a type with the numbers `first` and `last`, and returns them ascending.
template <class Range>
std::vector<Range> merge(const std::vector<ParsedValue>& alternatives) {
  std::vector<Range> ranges;
  ranges.reserve(alternatives.size());
  for (const ParsedValue& one : alternatives) ranges.push_back(std::get<Range>(one.value));
  std::ranges::sort(ranges, {}, &Range::first);
  std::size_t kept = 0;
  for (const Range& range : ranges) {
    // The end may be the greatest number of its type: nothing is added to it.
    if (kept != 0 && std::int64_t{range.first} - 1 <= std::int64_t{ranges[kept - 1].last}) {
      ranges[kept - 1].last = std::max(ranges[kept - 1].last, range.last);
    } else {
      ranges[kept++] = range;
    }
  }
  ranges.resize(kept);
  return ranges;
}

}  // namespace

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos;
       comma = text.find(',')) {
    parts.push_back(text.substr(0, comma));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(text);
  return parts;
}

void sort_alternatives(std::vector<ParsedValue>& alternatives) {
  std::ranges::sort(alternatives, {}, &ParsedValue::canonical);
  const auto are_equal = [](const ParsedValue& a, const ParsedValue& b) {
    return a.canonical == b.canonical;
  };
  alternatives.erase(std::unique(alternatives.begin(), alternatives.end(), are_equal),
                     alternatives.end());
}

void merge_numbers(std::vector<ParsedValue>& alternatives, std::int64_t least,
                   std::size_t decimals) {
  const std::vector<NumberRange> ranges = merge<NumberRange>(alternatives);
  alternatives.clear();
  for (const NumberRange& range : ranges) {
    alternatives.push_back({.value = range, .canonical = range.text(least, decimals)});
  }
}

void merge_codes(std::vector<ParsedValue>& alternatives) {
  const std::vector<EcoRange> ranges = merge<EcoRange>(alternatives);
  alternatives.clear();
  for (const EcoRange& range : ranges) {
    alternatives.push_back({.value = range, .canonical = range.text()});
  }
}

}  // namespace scidfs::fs
