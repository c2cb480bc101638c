#include "fs/tables/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "fs/base/text_table.h"

namespace scidfs::fs {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> spans_of(const std::map<std::size_t, std::uint32_t>& games) {
  std::vector<std::uint32_t> years(2048);
  for (const auto& [year, count] : games) years[year] = count;
  std::vector<std::string> texts;
  for (const YearSpan& span : year_spans(years)) {
    texts.push_back(std::to_string(span.first) + '-' + std::to_string(span.last) + ':' +
                    std::to_string(span.games));
  }
  return texts;
}

TEST(ChartTest, DrawsColumns) {
  const std::vector<std::uint32_t> numbers = {2400, 0, 2700, 2550};
  EXPECT_THAT(column_chart(numbers, 2), ElementsAre("2700   █", "2400 ▁ ██"));
  EXPECT_THAT(column_chart(std::vector<std::uint32_t>{1, 1000}, 3),
              ElementsAre("1000  █", "      █", "   1 ▁█"));
  EXPECT_THAT(column_chart(std::vector<std::uint32_t>{2000}, 2), ElementsAre("2000", "2000 █"));
  EXPECT_THAT(column_chart(std::vector<std::uint32_t>{0, 0}, 2), ElementsAre());
}

TEST(ChartTest, GroupsDigits) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "game"), "1 game");
  EXPECT_EQ(counted(2000, "game"), "2,000 games");
}

TEST(ChartTest, BarsAreExactToAnEighth) {
  EXPECT_EQ(bar(0, 10, 4), "");
  EXPECT_EQ(bar(10, 10, 4), "████");
  EXPECT_EQ(bar(5, 10, 4), "██");
  EXPECT_EQ(bar(1, 32, 4), "▏");
  EXPECT_EQ(bar(7, 32, 4), "▉");
  EXPECT_EQ(bar(9, 32, 4), "█▏");
  EXPECT_EQ(bar(1, 1000000, 4), "▏") << "what is there is seen";
  EXPECT_EQ(bar(1U << 28, 1U << 28, 40), bar(1, 1, 40));
}

TEST(ChartTest, FewYearsAreSeparate) {
  EXPECT_THAT(spans_of({}), ElementsAre());
  EXPECT_THAT(spans_of({{0, 7}}), ElementsAre());
  EXPECT_THAT(spans_of({{1999, 7}}), ElementsAre("1999-1999:7"));
  EXPECT_THAT(spans_of({{0, 7}, {1999, 1}, {2001, 3}}),
              ElementsAre("1999-1999:1", "2000-2000:0", "2001-2001:3"));
  EXPECT_EQ(spans_of({{1991, 1}, {2015, 1}}).size(), 25U);
}

TEST(ChartTest, ManyYearsAreGroupedIntoSpans) {
  EXPECT_THAT(spans_of({{1990, 1}, {2004, 2}, {2015, 4}}),
              ElementsAre("1990-1994:1", "1995-1999:0", "2000-2004:2", "2005-2009:0", "2010-2014:0",
                          "2015-2019:4"));
  const std::vector<std::string> decades = spans_of({{1851, 5}, {1859, 5}, {2020, 5}});
  EXPECT_EQ(decades.front(), "1850-1859:10");
  EXPECT_EQ(decades.back(), "2020-2029:5");
  EXPECT_EQ(decades.size(), 18U);
}

TEST(ChartTest, FewEarlyGamesAreOneSpan) {
  EXPECT_THAT(spans_of({{1475, 1}, {1620, 1}, {2001, 500}, {2002, 500}}),
              ElementsAre("0-2000:2", "2001-2001:500", "2002-2002:500"));
}

TEST(ChartTest, SpansContainAllGames) {
  for (const auto& games : std::vector<std::map<std::size_t, std::uint32_t>>{
           {{1, 1}, {2047, 1}}, {{3, 5}, {99, 5}}, {{1, 1}, {2, 1000}, {2047, 1000}}}) {
    std::vector<std::uint32_t> years(2048);
    years[0] = 50;
    std::uint64_t all = 0;
    for (const auto& [year, count] : games) all += years[year] = count;
    const std::vector<YearSpan> spans = year_spans(years);
    EXPECT_LE(spans.size(), 26U);
    for (const YearSpan& span : spans) all -= span.games;
    EXPECT_EQ(all, 0U);
  }
}

}  // namespace
}  // namespace scidfs::fs
