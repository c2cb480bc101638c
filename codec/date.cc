#include "codec/date.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "codec/number.h"
#include "codec/text.h"

namespace scidfs::codec {
namespace {

// Writes `value` with exactly `digits` digits; question marks if it is 0 or needs more of them.
char* write_part(unsigned value, int digits, char* out) {
  char* const end = out + digits;
  unsigned rest = value;
  for (char* at = end; at != out; rest /= 10) *--at = static_cast<char>('0' + rest % 10);
  if (value == 0 || rest != 0) {
    for (char* at = out; at != end; ++at) *at = '?';
  }
  return end;
}

constexpr bool is_separator(char c) { return c == '.' || c == '-' || c == '/'; }

}  // namespace

char* write_date(Date date, char* out) {
  out = write_part(date.year, 4, out);
  *out++ = '.';
  out = write_part(date.month, 2, out);
  *out++ = '.';
  return write_part(date.day, 2, out);
}

Date parse_date(std::string_view text) {
  constexpr unsigned kMaxYear = 2047;
  constexpr unsigned kMonths = 12;
  std::array<unsigned, 3> parts{};
  for (unsigned& part : parts) {
    const auto* const end = std::ranges::find_if(text, is_separator);
    const auto length = static_cast<std::size_t>(end - text.begin());
    const std::string_view digits = trim(text.substr(0, length));
    part = parse_number<unsigned>(digits).value_or(0);
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  const auto [year, month, day] = parts;
  Date date;
  if (year <= kMaxYear) date.year = static_cast<std::uint16_t>(year);
  if (month > kMonths) return date;
  date.month = static_cast<std::uint8_t>(month);
  // Where a part is unknown, it may be one with which the day exists.
  constexpr int kLeapYear = 2000;
  constexpr unsigned kLongMonth = 1;
  const std::chrono::year_month_day whole(std::chrono::year(date.year == 0 ? kLeapYear : date.year),
                                          std::chrono::month(month == 0 ? kLongMonth : month),
                                          std::chrono::day(day));
  if (whole.ok()) date.day = static_cast<std::uint8_t>(day);
  return date;
}

std::string to_string(Date date) {
  std::array<char, kDateLength> text;
  write_date(date, text.data());
  return std::string(text.data(), text.size());
}

}  // namespace scidfs::codec
