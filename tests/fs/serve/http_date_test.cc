// Dates of HTTP, in its three forms.
#include "fs/serve/http_date.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

TEST(HttpDateTest, IsWrittenAsTheStandardWants) {
  const struct {
    std::int64_t seconds;
    std::string date;
  } cases[] = {
      {784'111'777, "Sun, 06 Nov 1994 08:49:37 GMT"},
      {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
      {-1, "Wed, 31 Dec 1969 23:59:59 GMT"},
      {951'782'400, "Tue, 29 Feb 2000 00:00:00 GMT"},
      {4'107'542'399, "Sun, 28 Feb 2100 23:59:59 GMT"},
      {-62'167'219'200, "Sat, 01 Jan 0000 00:00:00 GMT"},
      {253'402'300'799, "Fri, 31 Dec 9999 23:59:59 GMT"},
      {std::numeric_limits<std::int64_t>::min(), "Sat, 01 Jan 0000 00:00:00 GMT"},
      {std::numeric_limits<std::int64_t>::max(), "Fri, 31 Dec 9999 23:59:59 GMT"},
  };
  for (const auto& [seconds, date] : cases) EXPECT_EQ(http_date(seconds), date);
}

TEST(HttpDateTest, IsReadAsItIsWritten) {
  tests::Random random(7);
  for (int round = 0; round < 10'000; ++round) {
    const std::int64_t seconds =
        static_cast<std::int64_t>(random.below(315'569'519'999)) - 62'167'219'200;
    ASSERT_EQ(parse_http_date(http_date(seconds)), seconds) << http_date(seconds);
  }
}

TEST(HttpDateTest, OldFormsAreReadToo) {
  constexpr std::int64_t kSeconds = 784'111'777;
  for (const std::string_view date :
       {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "Sun Nov 06 08:49:37 1994", "Wed, 06 Nov 1994 08:49:37 GMT"}) {
    EXPECT_EQ(parse_http_date(date), kSeconds) << date;
  }
  EXPECT_EQ(parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT"), 1'483'228'800);
}

TEST(HttpDateTest, TwoDigitsAreAYearAtMostFiftyYearsAhead) {
  const std::chrono::year_month_day today(
      std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()));
  for (const int ahead : {-49, -1, 0, 1, 50}) {
    const int year = static_cast<int>(today.year()) + ahead;
    const auto date = parse_http_date(fmt::format("Monday, 01-Jan-{:02} 00:00:00 GMT", year % 100));
    ASSERT_TRUE(date.has_value());
    EXPECT_EQ(http_date(*date).substr(12, 4), fmt::format("{:04}", year));
  }
}

TEST(HttpDateTest, OtherTextsAreNoDates) {
  for (const std::string_view text : {"",
                                      "0",
                                      "784111777",
                                      "1994-11-06T08:49:37Z",
                                      "Sun",
                                      "Sun,",
                                      "Sun, 06 Nov 1994 08:49:37",
                                      "Sun, 06 Nov 1994 08:49:37 UTC",
                                      "Sun, 06 Nov 1994 08:49:37 GMT ",
                                      " Sun, 06 Nov 1994 08:49:37 GMT",
                                      "Sun,  6 Nov 1994 08:49:37 GMT",
                                      "Sun, 6 Nov 1994 08:49:37 GMT",
                                      "Sun, +6 Nov 1994 08:49:37 GMT",
                                      "sun, 06 nov 1994 08:49:37 gmt",
                                      "Son, 06 Nov 1994 08:49:37 GMT",
                                      "Sun, 06 Mov 1994 08:49:37 GMT",
                                      "Sun, 00 Nov 1994 08:49:37 GMT",
                                      "Sun, 31 Nov 1994 08:49:37 GMT",
                                      "Sun, 29 Feb 1994 08:49:37 GMT",
                                      "Sun, 06 Nov 94 08:49:37 GMT",
                                      "Sun, 06 Nov 1994 24:00:00 GMT",
                                      "Sun, 06 Nov 1994 08:60:00 GMT",
                                      "Sun, 06 Nov 1994 08:49:61 GMT",
                                      "Sun, 06 Nov 1994 8:49:37 GMT",
                                      "Sunday, 06 Nov 1994 08:49:37 GMT",
                                      "Sunday, 06-Nov-1994 08:49:37 GMT",
                                      "Sun Nov 6 08:49:37 1994",
                                      "Sun Nov  6 08:49:37 1994 GMT"}) {
    EXPECT_EQ(parse_http_date(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace scidfs::fs
