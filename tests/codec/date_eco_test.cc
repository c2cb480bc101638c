#include <gtest/gtest.h>

#include <array>

#include "codec/date.h"
#include "codec/eco.h"

namespace scidfs::codec {
namespace {

TEST(Date, UnknownPartsAreQuestionMarks) {
  EXPECT_EQ(to_string(Date{2013, 11, 9}), "2013.11.09");
  EXPECT_EQ(to_string(Date{}), "????.??.??");
  EXPECT_EQ(to_string(Date{0, 5, 6}), "????.05.06");
  EXPECT_EQ(to_string(Date{7, 0, 31}), "0007.??.31");
  EXPECT_EQ(to_string(Date{2047, 15, 0}), "2047.15.??");
}

TEST(Date, TextHasFixedLengthForEveryValue) {
  EXPECT_EQ(to_string(Date{9999, 99, 99}), "9999.99.99");
  EXPECT_EQ(to_string(Date{10000, 100, 255}), "????.??.??");
  EXPECT_EQ(to_string(Date{65535, 10, 100}), "????.10.??");
  std::array<char, kDateLength> text;
  EXPECT_EQ(write_date(Date{1900, 1, 1}, text.data()), text.data() + kDateLength);
}

TEST(Eco, CodesMatchExamplesOfTheFormat) {
  EXPECT_EQ(eco_to_string(0), "");
  EXPECT_EQ(eco_to_string(1), "A00");
  EXPECT_EQ(eco_to_string(2), "A00a");
  EXPECT_EQ(eco_to_string(3), "A00a1");
  EXPECT_EQ(eco_to_string(7), "A00b");
  EXPECT_EQ(eco_to_string(131), "A00z4");
  EXPECT_EQ(eco_to_string(132), "A01");
  EXPECT_EQ(eco_to_string(0x33B1), "B01a");
  EXPECT_EQ(eco_to_string(0xFFDC), "E99z4");
  EXPECT_EQ(kMaxEco, 0xFFDC);
  EXPECT_EQ(eco_to_string(0xFFDD), "");
  EXPECT_EQ(eco_to_string(0xFFFF), "");
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
