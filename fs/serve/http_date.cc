#include "fs/serve/http_date.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <span>

#include "codec/number.h"

namespace scidfs::fs {
namespace {

namespace chrono = std::chrono;

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 7> kLongDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

constexpr chrono::year_month_day kFirstDay(chrono::year(0), chrono::January, chrono::day(1));
constexpr chrono::year_month_day kLastDay(chrono::year(9999), chrono::December, chrono::day(31));

int year_of_century(int last_digits) {
  constexpr int kMostYearsAhead = 50;
  const chrono::year_month_day today(chrono::floor<chrono::days>(chrono::system_clock::now()));
  const int now = static_cast<int>(today.year());
  const int year = now - now % 100 + last_digits;
  return year > now + kMostYearsAhead ? year - 100 : year;
}

// Takes a date apart from its front. After a part that is not there, it has failed for good.
class DateParser {
 public:
  explicit DateParser(std::string_view text) : rest_(text) {}

  bool begins_with_one_of(std::span<const std::string_view> names) const {
    return std::ranges::any_of(names, [this](auto name) { return rest_.starts_with(name); });
  }

  DateParser& text(std::string_view expected) {
    is_good_ = is_good_ && rest_.starts_with(expected);
    if (is_good_) rest_.remove_prefix(expected.size());
    return *this;
  }
  DateParser& day_of_week(std::span<const std::string_view> names) {
    take_name(names);
    return *this;
  }
  DateParser& month() {
    month_ = take_name(kMonths) + 1;
    return *this;
  }
  DateParser& day() {
    day_ = take_number(2);
    return *this;
  }
  // " 6", with a blank for the first digit.
  DateParser& padded_day() {
    if (!rest_.starts_with(' ')) return day();
    day_ = text(" ").take_number(1);
    return *this;
  }
  DateParser& year() {
    year_ = static_cast<int>(take_number(4));
    return *this;
  }
  DateParser& short_year() {
    year_ = year_of_century(static_cast<int>(take_number(2)));
    return *this;
  }
  // The last second may be a leap second.
  DateParser& time() {
    const unsigned hour = take_number(2);
    const unsigned minute = text(":").take_number(2);
    const unsigned second = text(":").take_number(2);
    is_good_ = is_good_ && hour < 24 && minute < 60 && second <= 60;
    seconds_of_day_ = (hour * 60 + minute) * 60 + second;
    return *this;
  }

  // Returns seconds since 1970, if the whole text was taken.
  std::optional<std::int64_t> moment() const {
    const chrono::year_month_day date{chrono::year(year_), chrono::month(month_),
                                      chrono::day(day_)};
    if (!is_good_ || !rest_.empty() || !date.ok()) return std::nullopt;
    return chrono::seconds(chrono::sys_days(date).time_since_epoch()).count() + seconds_of_day_;
  }

 private:
  unsigned take_name(std::span<const std::string_view> names) {
    const auto name =
        std::ranges::find_if(names, [this](auto one) { return rest_.starts_with(one); });
    is_good_ = is_good_ && name != names.end();
    if (!is_good_) return 0;
    text(*name);
    return static_cast<unsigned>(name - names.begin());
  }
  unsigned take_number(std::size_t digits) {
    const std::string_view taken = rest_.substr(0, digits);
    const auto number = codec::parse_number<unsigned>(taken);
    is_good_ = is_good_ && taken.size() == digits && number.has_value();
    rest_.remove_prefix(taken.size());
    return number.value_or(0);
  }

  std::string_view rest_;
  bool is_good_ = true;
  int year_ = 0;
  unsigned month_ = 0;
  unsigned day_ = 0;
  std::int64_t seconds_of_day_ = 0;
};

}  // namespace

std::string http_date(std::int64_t seconds) {
  constexpr std::int64_t kFirst =
      chrono::seconds(chrono::sys_days(kFirstDay).time_since_epoch()).count();
  constexpr std::int64_t kLast =
      chrono::seconds((chrono::sys_days(kLastDay) + chrono::days(1)).time_since_epoch()).count() -
      1;
  const chrono::sys_seconds moment(chrono::seconds(std::clamp(seconds, kFirst, kLast)));
  const chrono::sys_days midnight = chrono::floor<chrono::days>(moment);
  const chrono::year_month_day date(midnight);
  const chrono::hh_mm_ss time(moment - midnight);
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[chrono::weekday(midnight).c_encoding()],
      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
      static_cast<int>(date.year()), time.hours().count(), time.minutes().count(),
      time.seconds().count());
}

std::optional<std::int64_t> parse_http_date(std::string_view text) {
  DateParser date(text);
  // "Sun" begins "Sunday", too.
  if (date.begins_with_one_of(kLongDays)) {
    date.day_of_week(kLongDays).text(", ").day().text("-").month().text("-").short_year();
    return date.text(" ").time().text(" GMT").moment();
  }
  date.day_of_week(kDays);
  if (date.begins_with_one_of(std::array<std::string_view, 1>{","})) {
    date.text(", ").day().text(" ").month().text(" ").year();
    return date.text(" ").time().text(" GMT").moment();
  }
  return date.text(" ").month().text(" ").padded_day().text(" ").time().text(" ").year().moment();
}

}  // namespace scidfs::fs
