#include "codec/scid/spelling_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace scidfs::codec::scid {
namespace {

using Kind = SpellingLine::Kind;
using testing::ElementsAre;
using testing::Pair;

TEST(SpellingFileTest, ParsesKindsOfLines) {
  const auto is = [](std::string_view text, Kind kind, std::string_view name,
                     std::string_view data = {}) {
    const SpellingLine line = parse_spelling_line(text);
    EXPECT_EQ(line.kind, kind) << text;
    EXPECT_EQ(line.text, name) << text;
    EXPECT_EQ(line.data, data) << text;
  };
  is("Kasparov, Garry #GM RUS [2812] 1963.04.13 i\r", Kind::Name, "Kasparov, Garry",
     "GM RUS [2812] 1963.04.13 i");
  is("  indented  ", Kind::Name, "indented");
  is("   = Kasparov, Gary # so", Kind::Spelling, "Kasparov, Gary");
  is("=x", Kind::Spelling, "x");
  is("\t%Bio FIDEID 4100018  ", Kind::Bio, "FIDEID 4100018");
  is("%Elo 1990:2800,2800", Kind::Elo, "1990:2800,2800");
  is("%Suffix \"(Spain)\" \"ESP\" # Spain", Kind::Suffix, "\"(Spain)\" \"ESP\"");
  is("%Prefix \"a\" \"b\"", Kind::Prefix, "\"a\" \"b\"");
  is("%Infix \"a\" \"b\"", Kind::Infix, "\"a\" \"b\"");
  is("@PLAYER \"., -_*\"", Kind::Section, "PLAYER", "., -_*");
  is("@ROUND \"", Kind::Section, "ROUND");
  for (const char* const nothing : {"", "  ", "# @PLAYER", "   # x", "> old", "%Other x", "%Elo"}) {
    is(nothing, Kind::Other, "");
  }
  EXPECT_EQ(parse_spelling_section("Player"), NameKind::Player);
  EXPECT_EQ(parse_spelling_section("ROUND"), NameKind::Round);
  EXPECT_EQ(parse_spelling_section("PLAYERS"), std::nullopt);
}

TEST(SpellingFileTest, ParsesDataOfPlayers) {
  const PlayerData judit = parse_player_data("gm+w URS/HUN [2735] 1976.07.23");
  EXPECT_EQ(titles_to_string(judit.titles), "GM");
  EXPECT_TRUE(judit.is_woman);
  EXPECT_EQ(judit.countries, "URS/HUN");
  EXPECT_EQ(judit.highest, 2735);
  EXPECT_FALSE(judit.is_estimated);
  EXPECT_EQ(judit.born, (Date{.year = 1976, .month = 7, .day = 23}));
  EXPECT_EQ(judit.died, Date{});
  EXPECT_FALSE(judit.is_inactive);

  const PlayerData aron = parse_player_data("im+hgm+cim LAT/DEN [2615*] 1886--1935.03.??  wi");
  EXPECT_EQ(titles_to_string(aron.titles), "IM+HGM+CIM");
  EXPECT_TRUE(aron.is_estimated && aron.is_woman && aron.is_inactive);
  EXPECT_EQ(aron.born, Date{.year = 1886});
  EXPECT_EQ(aron.died, (Date{.year = 1935, .month = 3}));

  const PlayerData nothing = parse_player_data("-  BAN [1473] ????.05.06--0000");
  EXPECT_EQ(nothing.titles, 0);
  EXPECT_EQ(nothing.born, Date{});
  EXPECT_EQ(nothing.died, Date{});
  EXPECT_EQ(parse_player_data("").highest, 0);
  EXPECT_EQ(parse_player_data("GM [99999] 1").highest, 0);
  EXPECT_EQ(parse_player_data("GM X [").countries, "X");
  EXPECT_EQ(parse_fide_id("FIDEID 4100018"), 4100018);
  EXPECT_EQ(parse_fide_id("FIDEID 4x"), 0);
  EXPECT_EQ(parse_fide_id("VIAF 4"), 0);
}

TEST(SpellingFileTest, ReadsRatingsUpToFirstInvalidOne) {
  std::vector<YearRating> ratings;
  constexpr std::string_view kRatings = "1990:2800,? 1991:2790  1992:x 1993:9000";
  parse_elo(kRatings, ratings);
  std::vector<std::pair<int, int>> pairs;
  for (const YearRating& rating : ratings) pairs.emplace_back(rating.year, rating.elo);
  EXPECT_THAT(pairs, ElementsAre(Pair(1990, 2800), Pair(1990, 0), Pair(1991, 2790)));
}

TEST(SpellingFileTest, RatingsOfYearAreSpreadOverItsMonths) {
  std::vector<YearRating> ratings;
  parse_elo("1990:2800 1991:2790,?,2780,2770 1992:1,2,3,4,5,6,7,8,9,10,11,12 2048:2700", ratings);
  std::vector<MonthRating> months;
  append_months(ratings, months);
  ASSERT_EQ(months.size(), 1 + 3 + 12);
  EXPECT_EQ(months[0], (MonthRating{.month = 1990 * 12, .elo = 2800}));
  EXPECT_EQ(months[1], (MonthRating{.month = 1991 * 12, .elo = 2790}));
  EXPECT_EQ(months[2], (MonthRating{.month = 1991 * 12 + 6, .elo = 2780}));
  EXPECT_EQ(months[3], (MonthRating{.month = 1991 * 12 + 9, .elo = 2770}));
  EXPECT_EQ(months[15], (MonthRating{.month = 1992 * 12 + 11, .elo = 12}));
}

TEST(SpellingFileTest, ParsesReplacementsOfTwoQuotedTexts) {
  const auto replacement = parse_replacement(R"("II "   "2. ")");
  ASSERT_TRUE(replacement.has_value());
  EXPECT_EQ(replacement->from, "II ");
  EXPECT_EQ(replacement->to, "2. ");
  EXPECT_TRUE(parse_replacement(R"("a" "")").has_value());
  for (const char* const bad : {"", R"("" "a")", R"("a" "b)", R"("a" "b" "c")", "a b"}) {
    EXPECT_FALSE(parse_replacement(bad).has_value()) << bad;
  }
}

TEST(SpellingFileTest, LinesDoNotDependOnBlockSize) {
  const std::string text = "one\n\n" + std::string(LineCutter::kMostLine + 10, 'x') + "\nlast";
  const auto lines_by = [&text](std::size_t block) {
    std::vector<std::pair<std::uint64_t, std::string>> lines;
    LineCutter cutter;
    const auto add = [&lines](std::uint64_t offset, std::string_view line) {
      lines.emplace_back(offset, line);
    };
    for (std::size_t at = 0; at < text.size(); at += block) {
      cutter.add(std::string_view(text).substr(at, block), add);
    }
    cutter.finish(add);
    return lines;
  };
  const auto whole = lines_by(text.size());
  ASSERT_EQ(whole.size(), 4);
  EXPECT_THAT(whole[0], Pair(0, "one"));
  EXPECT_THAT(whole[2], Pair(5, std::string(LineCutter::kMostLine, 'x')));
  EXPECT_THAT(whole[3], Pair(text.size() - 4, "last"));
  for (const std::size_t block : {1, 2, 3, 1000}) EXPECT_EQ(lines_by(block), whole) << block;
}

}  // namespace
}  // namespace scidfs::codec::scid
