#include "fs/search/date_span.h"

#include <fmt/format.h>

#include <array>

#include "codec/number.h"
#include "fs/search/number_range.h"

namespace scidfs::fs {
namespace {

using codec::Date;

constexpr unsigned kMostYear = 9999;
constexpr unsigned kMostMonth = 12;
constexpr unsigned kMostDay = 31;

std::optional<Date> parse_date(std::string_view text) {
  std::array<unsigned, 3> parts{};
  const std::array<unsigned, 3> most = {kMostYear, kMostMonth, kMostDay};
  for (std::size_t i = 0;; ++i) {
    const std::size_t dot = text.find('.');
    const auto part = codec::parse_number<unsigned>(text.substr(0, dot));
    if (i == parts.size() || !part.has_value() || *part == 0 || *part > most[i]) {
      return std::nullopt;
    }
    parts[i] = *part;
    if (dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  return Date{.year = static_cast<std::uint16_t>(parts[0]),
              .month = static_cast<std::uint8_t>(parts[1]),
              .day = static_cast<std::uint8_t>(parts[2])};
}

std::string date_text(Date date) {
  std::string text = fmt::format("{:04}", date.year);
  if (date.month != 0) text += fmt::format(".{:02}", date.month);
  if (date.day != 0) text += fmt::format(".{:02}", date.day);
  return text;
}

}  // namespace

std::optional<DateSpan> DateSpan::parse(std::string_view text) {
  const auto [first, last] = NumberRange::split(text);
  DateSpan span;
  if (!last.has_value() || !first.empty()) {
    span.first_ = parse_date(first);
    if (!span.first_.has_value()) return std::nullopt;
  }
  if (!last.has_value()) {
    span.last_ = span.first_;
  } else if (!last->empty()) {
    span.last_ = parse_date(*last);
    if (!span.last_.has_value()) return std::nullopt;
  }
  span.least_ = codec::pack_date(span.first_.value_or(Date{.year = 1}));
  span.most_ = kNone;
  if (span.last_.has_value()) {
    const Date end = *span.last_;
    if (end.month != 0) {
      span.no_month_ = codec::pack_date({.year = end.year});
      span.first_month_ = codec::pack_date({.year = end.year, .month = 1});
    }
    if (end.day != 0) span.no_day_ = codec::pack_date({.year = end.year, .month = end.month});
    span.most_ = codec::last_day_of(codec::pack_date(end));
  }
  if (span.most_ < span.least_) return std::nullopt;
  return span;
}

std::string DateSpan::text() const {
  if (first_.has_value() && first_ == last_) return date_text(*first_);
  return (first_.has_value() ? date_text(*first_) : std::string()) + ".." +
         (last_.has_value() ? date_text(*last_) : std::string());
}

bool DateSpan::contains_all(std::uint32_t first, std::uint32_t last) const {
  const auto meets = [&](std::uint32_t hole_begin, std::uint32_t hole_end) {
    return hole_begin != kNone && first < hole_end && last >= hole_begin;
  };
  return first >= least_ && last <= most_ && !meets(no_month_, first_month_) &&
         (no_day_ == kNone || !meets(no_day_, no_day_ + 1));
}

}  // namespace scidfs::fs
