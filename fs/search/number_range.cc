#include "fs/search/number_range.h"

#include <fmt/format.h>

#include "codec/number.h"

namespace scidfs::fs {

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
                                              std::int64_t most) {
  const auto [first, last] = split(text);
  const auto parse_end = [&](std::string_view end, std::int64_t& number) {
    const auto parsed = codec::parse_number<std::int64_t>(end);
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

std::string NumberRange::text(std::int64_t least) const {
  if (first == last) return fmt::format("{}", first);
  std::string text;
  if (first != least) text = fmt::format("{}", first);
  text += "..";
  if (last != kNoEnd) text += fmt::format("{}", last);
  return text;
}

}  // namespace scidfs::fs
