#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "codec/date.h"
#include "codec/eco.h"

namespace scidfs::codec {
namespace {

TEST(Date, Texts) {
  constexpr std::pair<Date, std::string_view> kDates[] = {
      {{2013, 11, 9}, "2013.11.09"},     {{}, "????.??.??"},
      {{0, 5, 6}, "????.05.06"},         {{7, 0, 31}, "0007.??.31"},
      {{2047, 15, 0}, "2047.15.??"},     {{9999, 99, 99}, "9999.99.99"},
      {{10000, 100, 255}, "????.??.??"}, {{65535, 10, 100}, "????.10.??"},
  };
  for (const auto& [date, text] : kDates) EXPECT_EQ(to_string(date), text);
  std::array<char, kDateLength> text;
  EXPECT_EQ(write_date(Date{1900, 1, 1}, text.data()), text.data() + kDateLength);
}

struct DateExample {
  std::string_view text, date;
  bool is_whole;
};

TEST(Date, IsReadInTheOrderThatItCertainlyHas) {
  constexpr DateExample kDates[] = {
      {"2019.02.26", "2019.02.26", true},
      {"2019-2-6", "2019.02.06", true},
      {"2019/02/26", "2019.02.26", true},
      {"2019.02.??", "2019.02.??", true},
      {"????.05.06", "????.05.06", true},
      {"2019", "2019.??.??", true},
      {"", "????.??.??", true},
      {"2019. 02. 26.", "2019.02.26", true},
      {"2019-02-26T10:00:00", "2019.02.26", true},
      {"2019.02.26 (Tue)", "2019.02.26", true},
      {"26.02.2019", "2019.02.26", true},
      {"26.02.2019 10:00", "2019.02.26", true},
      {"02/26/2019", "2019.02.26", true},
      {"26-02-2019", "2019.02.26", true},
      {"3.4.2019", "2019.04.03", true},
      {"3/3/2019", "2019.03.03", true},
      {"??.02.2019", "2019.02.??", true},
      {R"(??/??/2019)", "2019.??.??", true},
      {"02.2019", "2019.02.??", true},
      {"3/4/2019", "2019.??.??", false},
      {"3-4-2019", "2019.??.??", false},
      {"2/26/19", "????.??.??", false},
      {"26.02.19", "????.??.??", false},
      {"26 Feb 2019", "????.??.??", false},
      {"Feb 26, 2019", "????.??.??", false},
      {"2019 Feb 26", "2019.??.??", false},
      {"2019.02.30", "2019.02.??", false},
      {"30.02.2019", "2019.02.??", false},
      {"2019.13.05", "2019.??.??", false},
      {"2048.01.05", "????.01.05", false},
      {"20190226", "????.??.??", false},
      {"99999999999999999999.01.01", "????.??.??", false},
  };
  for (const auto& [text, date, is_whole] : kDates) {
    const ReadDate read = read_date(text);
    EXPECT_EQ(to_string(read.date), date) << text;
    EXPECT_EQ(read.is_whole, is_whole) << text;
  }
}

TEST(Eco, CodesMatchExamplesOfTheFormat) {
  constexpr std::pair<EcoCode, std::string_view> kCodes[] = {
      {0, ""},      {1, "A00"},       {2, "A00a"},       {3, "A00a1"}, {7, "A00b"},  {131, "A00z4"},
      {132, "A01"}, {0x33B1, "B01a"}, {0xFFDC, "E99z4"}, {0xFFDD, ""}, {0xFFFF, ""},
  };
  for (const auto& [code, text] : kCodes) EXPECT_EQ(eco_to_string(code), text) << code;
  EXPECT_EQ(kMaxEco, 0xFFDC);
}

// The texts of the valid codes are those of one base after the other in alphabetical order, so
// ascending well-formed texts in the right number are the right ones.
TEST(Eco, EveryCodeIsWellFormed) {
  std::string previous;
  for (unsigned code = 0; code <= 0xFFFF; ++code) {
    const std::string text = eco_to_string(static_cast<EcoCode>(code));
    const unsigned base = eco_base(static_cast<EcoCode>(code));
    if (code == 0 || code > kMaxEco) {
      ASSERT_EQ(text, "");
      ASSERT_EQ(base, kEcoBases);
      continue;
    }
    ASSERT_GT(text, previous);
    ASSERT_GE(text.size(), 3u);
    ASSERT_LE(text.size(), kMaxEcoLength);
    ASSERT_EQ(parse_eco_base(text.substr(0, 3)), base);
    ASSERT_EQ(parse_eco(text), code);
    ASSERT_EQ(parse_eco(text + "/"), code);
    ASSERT_EQ(eco_base_to_string(base), text.substr(0, 3));
    if (text.size() > 3) {
      ASSERT_TRUE(text[3] >= 'a' && text[3] <= 'z') << text;
    }
    if (text.size() > 4) {
      ASSERT_TRUE(text[4] >= '1' && text[4] <= '4') << text;
    }
    previous = text;
  }
}

TEST(Eco, ConvertsBasesToTextAndBack) {
  EXPECT_EQ(eco_base_to_string(0), "A00");
  EXPECT_EQ(eco_base_to_string(190), "B90");
  EXPECT_EQ(eco_base_to_string(499), "E99");
  EXPECT_EQ(eco_base_to_string(kEcoBases), "");
  EXPECT_EQ(parse_eco_base("B90"), 190u);
  for (const std::string_view text : {"", "B9", "B900", "F00", "b90", "B9a", "Ba9", "@00", "B/0"}) {
    EXPECT_EQ(parse_eco_base(text), kEcoBases) << text;
  }
  for (const std::string_view text : {"", "B9", "F00", "b90a", "B9a"}) {
    EXPECT_EQ(parse_eco(text), 0) << text;
  }
}

}  // namespace
}  // namespace scidfs::codec
