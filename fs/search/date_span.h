// A date, as exact as it is named, or a range of dates: `2013`, `2010.05..2013`, `..2013.05.17`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "codec/types.h"

namespace scidfs::fs {

// Both ends are included, whole years and months with all their days. Of a date whose month (day)
// is unknown it is known whether it lies in a span only where an end that names a month (day) does
// not lie in the same year (month). A value.
class DateSpan {
 public:
  // Nothing if the text is no span, or if it ends before it begins.
  static std::optional<DateSpan> parse(std::string_view text);
  // The shortest text of the span.
  std::string text() const;

  // Takes a date as PackedIndex packs it. Dates without a year are in no span.
  bool contains(std::uint32_t packed) const {
    return packed >= least_ && packed <= most_ && !(packed >= no_month_ && packed < first_month_) &&
           packed != no_day_;
  }
  // All that it contains lies between these.
  std::uint32_t least() const { return least_; }
  std::uint32_t most() const { return most_; }
  // Whether it contains all between two packed dates.
  bool contains_all(std::uint32_t first, std::uint32_t last) const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::optional<codec::Date> first_, last_;  // with 0 for what is not named
  std::uint32_t least_ = 0;
  std::uint32_t most_ = 0;
  // Of the last year the dates without month; of the last month that without day.
  std::uint32_t no_month_ = kNone;
  std::uint32_t first_month_ = kNone;
  std::uint32_t no_day_ = kNone;
};

}  // namespace scidfs::fs
