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

constexpr std::size_t kYearDigits = 4;
constexpr unsigned kMonths = 12;

// A part of a date as it is written, and the separator after it.
struct Part {
  unsigned value = 0;  // 0: unknown
  std::size_t digits = 0;
  char separator = 0;  // 0: none
};

// Takes a part from the front of a text, and its separator.
Part take_part(std::string_view& text) {
  text = trim_left(text);
  Part part;
  part.digits = std::min(text.find_first_not_of("0123456789"), text.size());
  part.value = parse_number<unsigned>(text.substr(0, part.digits)).value_or(0);
  text.remove_prefix(part.digits);
  if (part.digits == 0) text.remove_prefix(std::min(text.find_first_not_of('?'), text.size()));
  text = trim_left(text);
  if (text.empty() || !is_separator(text.front())) return part;
  part.separator = text.front();
  text.remove_prefix(1);
  return part;
}

// Returns the date if there is one. Parts that no date has are unknown.
ReadDate make_date(unsigned year, unsigned month, unsigned day) {
  constexpr unsigned kMaxYear = 2047;
  ReadDate read{.date = {}, .is_whole = year <= kMaxYear && month <= kMonths};
  if (year <= kMaxYear) read.date.year = static_cast<std::uint16_t>(year);
  if (month > kMonths) return read;
  read.date.month = static_cast<std::uint8_t>(month);
  // Where a part is unknown, it may be one with which the day exists.
  constexpr int kLeapYear = 2000;
  constexpr unsigned kLongMonth = 1;
  const std::chrono::year_month_day whole(
      std::chrono::year(read.date.year == 0 ? kLeapYear : read.date.year),
      std::chrono::month(month == 0 ? kLongMonth : month), std::chrono::day(day));
  if (whole.ok()) read.date.day = static_cast<std::uint8_t>(day);
  read.is_whole &= whole.ok() || day == 0;
  return read;
}

// Returns the date of a year, and of a day and a month in an order that has to be found out.
ReadDate make_turned_date(unsigned year, const Part& first, const Part& second) {
  const bool is_american = first.value <= kMonths && second.value > kMonths;
  const bool is_certain =
      is_american || first.separator == '.' || first.value > kMonths || first.value == second.value;
  if (!is_certain) return {.date = make_date(year, 0, 0).date, .is_whole = false};
  return is_american ? make_date(year, first.value, second.value)
                     : make_date(year, second.value, first.value);
}

}  // namespace

char* write_date(Date date, char* out) {
  out = write_part(date.year, 4, out);
  *out++ = '.';
  out = write_part(date.month, 2, out);
  *out++ = '.';
  return write_part(date.day, 2, out);
}

ReadDate read_date(std::string_view text) {
  std::array<Part, 3> parts;
  std::size_t count = 0;
  do {
    parts[count] = take_part(text);
  } while (parts[count++].separator != 0 && count < parts.size());
  const auto& [first, second, third] = parts;
  ReadDate read{.date = {}, .is_whole = false};
  if (third.digits == kYearDigits && first.digits < kYearDigits) {
    read = make_turned_date(third.value, first, second);
  } else if (second.digits == kYearDigits && count == 2) {
    read = make_date(second.value, first.value, 0);
  } else if (first.digits == 0 || first.digits == kYearDigits) {
    read = make_date(first.value, second.value, third.value);
  }
  // After a whole date there may be a time.
  if (count < parts.size() && !text.empty()) read.is_whole = false;
  return read;
}

std::string to_string(Date date) {
  std::array<char, kDateLength> text;
  write_date(date, text.data());
  return std::string(text.data(), text.size());
}

}  // namespace scidfs::codec
