#include "fs/search/number_range.h"

#include <fmt/format.h>

#include <cassert>

#include "codec/number.h"

namespace scidfs::fs {
namespace {

// Parses a number with a digit at least before its point, and after it.
std::optional<std::int64_t> parse_decimal(std::string_view text, std::size_t decimals) {
  const std::size_t point = text.find('.');
  std::string digits(text.substr(0, point));
  if (digits.empty() || digits.back() == '-') return std::nullopt;
  std::size_t missing = decimals;
  if (point != std::string_view::npos) {
    const std::string_view fraction = text.substr(point + 1);
    if (fraction.empty() || fraction.size() > decimals) return std::nullopt;
    digits += fraction;
    missing -= fraction.size();
  }
  return codec::parse_number<std::int64_t>(digits.append(missing, '0'));
}

std::string decimal_text(std::int64_t number, std::size_t decimals) {
  if (decimals == 0) return fmt::format("{}", number);
  std::string text = fmt::format("{:0{}}", number < 0 ? -number : number, decimals + 1);
  text.insert(text.size() - decimals, 1, '.');
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return number < 0 ? '-' + text : text;
}

}  // namespace

NumberRange::Ends NumberRange::split(std::string_view text) {
  constexpr std::string_view kDots = "..";
  constexpr std::string_view kFrom = "from";
  constexpr std::string_view kTo = "to";
  if (const std::size_t dots = text.find(kDots); dots != std::string_view::npos) {
    return {.first = text.substr(0, dots), .last = text.substr(dots + kDots.size())};
  }
  if (text.starts_with(kFrom) && text != kFrom) {
    return {.first = text.substr(kFrom.size()), .last = std::string_view()};
  }
  if (text.starts_with(kTo) && text != kTo) {
    return {.first = std::string_view(), .last = text.substr(kTo.size())};
  }
  return {.first = text, .last = std::nullopt};
}

std::optional<NumberRange> NumberRange::parse(std::string_view text, std::int64_t least,
                                              std::int64_t most, std::size_t decimals) {
  const auto [first, last] = split(text);
  const auto parse_end = [&](std::string_view end, std::int64_t& number) {
    const auto parsed = parse_decimal(end, decimals);
    number = parsed.value_or(0);
    return parsed.has_value() && number >= least && number <= most;
  };
  NumberRange range{.first = least, .last = kNoEnd};
  const bool has_first = !last.has_value() || !first.empty();
  if (has_first && !parse_end(first, range.first)) return std::nullopt;
  if (!last.has_value()) {
    range.last = range.first;
  } else if (!last->empty() && !parse_end(*last, range.last)) {
    return std::nullopt;
  }
  if (range.last < range.first) return std::nullopt;
  return range;
}

std::string NumberRange::text(std::int64_t least, std::size_t decimals) const {
  assert(first >= least && first <= last);
  if (first == last) return decimal_text(first, decimals);
  std::string text;
  if (first != least) text = decimal_text(first, decimals);
  text += "..";
  if (last != kNoEnd) text += decimal_text(last, decimals);
  return text;
}

}  // namespace scidfs::fs
