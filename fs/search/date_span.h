// A date, which may be only a year or a month, or a range: `2013`, `2010.05..2013`, `..2013.05.17`,
// `from2010.05`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/types.h"

namespace scidfs::fs {

// A span of dates that includes both ends; an end that is a year or a month includes all of its
// days. A date with an unknown month is outside if an end that names a month lies in the same year.
// A date with an unknown day is outside if an end that names a day lies in the same month. A value.
class DateSpan {
 public:
  // Returns nothing if the text is no span, or if the span ends before it begins.
  static std::optional<DateSpan> parse(std::string_view text);
  // Returns the shortest text of the span.
  std::string text() const;

  // Returns whether the span contains a date as PackedIndex packs it. No span contains a date
  // without a year.
  bool contains(std::uint32_t packed) const {
    return packed >= least_ && packed <= most_ && !(packed >= no_month_ && packed < first_month_) &&
           packed != no_day_;
  }
  // Returns whether no day that a date can mean is in the span. False for a date without a year.
  bool excludes(std::uint32_t packed) const {
    return packed > most_ || codec::last_day_of(packed) < least_;
  }
  // Return bounds on the packed dates that the span can contain.
  std::uint32_t least() const { return least_; }
  std::uint32_t most() const { return most_; }
  // Returns whether the span contains all dates between two packed dates.
  bool contains_all(std::uint32_t first, std::uint32_t last) const;
  // Returns whether the span excludes all dates between two packed dates; false means that it may
  // not.
  bool excludes_all(std::uint32_t first, std::uint32_t last) const {
    constexpr std::uint32_t kMonthsAndDays = (1U << codec::kYearShift) - 1;
    return first > most_ || (first > kMonthsAndDays && (last | kMonthsAndDays) < least_);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::optional<codec::Date> first_, last_;  // 0 for each part that is not named
  std::uint32_t least_ = 0;
  std::uint32_t most_ = 0;
  // Dates to exclude: in the last year those without month, in the last month the one without day.
  std::uint32_t no_month_ = kNone;
  std::uint32_t first_month_ = kNone;
  std::uint32_t no_day_ = kNone;
};

}  // namespace scidfs::fs
