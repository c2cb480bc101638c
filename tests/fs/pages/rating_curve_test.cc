#include "fs/pages/rating_curve.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/tables/set_findings.h"
#include "fs/tables/set_tables.h"
#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/text.h"
#include "tests/support/xml_check.h"

namespace scidfs::fs {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::Gt;
using testing::IsEmpty;
using tests::ParsedXml;

// "1999" or "1999-07", and the rating.
using RatingsByMonth = std::map<std::string, unsigned>;

class RatingCurveTest : public SetsTest {
 protected:
  struct Month {
    std::size_t year, month;
    std::uint16_t elo;
  };
  static std::vector<std::uint16_t> elo_by_month(std::initializer_list<Month> months) {
    std::vector<std::uint16_t> all(ColumnBatch::kYears * SetFacts::kMonths);
    for (const Month& month : months) all[month.year * SetFacts::kMonths + month.month] = month.elo;
    return all;
  }
  static std::string drawn(std::span<const std::uint16_t> elo_by_month) {
    Html html;
    add_rating_curve(elo_by_month, html);
    return std::move(html).finish();
  }
  static ParsedXml parsed(std::span<const std::uint16_t> elo_by_month) {
    ParsedXml figure = tests::parse_xml(drawn(elo_by_month));
    EXPECT_EQ(figure.fault, "");
    return figure;
  }
  static std::vector<std::string> texts(const ParsedXml& figure, std::string_view name) {
    std::vector<std::string> texts;
    for (const tests::XmlElement& element : figure.elements) {
      if (element.name == name) texts.push_back(element.text);
    }
    return texts;
  }
  // The outline of the last path: the curve.
  static std::string line_of(const ParsedXml& figure) {
    return figure.elements.back().attributes.back().second;
  }
  static RatingsByMonth known(std::span<const std::uint16_t> elo_by_month) {
    RatingsByMonth known;
    for (std::size_t i = SetFacts::kMonths; i < elo_by_month.size(); ++i) {
      const std::size_t month = i % SetFacts::kMonths;
      std::string name = fmt::format("{:04}", i / SetFacts::kMonths);
      if (month != 0) name += fmt::format("-{:02}", month);
      if (elo_by_month[i] != 0) known[name] = elo_by_month[i];
    }
    return known;
  }
  // Counts the lines of index.tsv.
  static RatingsByMonth recounted(const DatabaseGames& set, const std::string& player) {
    const auto content = open_set_index(set, whole());
    EXPECT_TRUE(content.ok()) << content.status();
    const std::vector<std::string> lines = tests::split(text_of(**content), '\n');
    const std::vector<std::string> head = tests::split(lines.at(0), '\t');
    const auto column = [&](std::string_view name) {
      return static_cast<std::size_t>(std::ranges::find(head, name) - head.begin());
    };
    RatingsByMonth highest;
    for (std::size_t i = 1; i < lines.size(); ++i) {
      std::vector<std::string> fields = tests::split(lines[i], '\t');
      fields.resize(head.size());
      const std::string month = fields[column("iso_date")].substr(0, 7);
      for (const std::string side : {"white", "black"}) {
        const std::string& elo = fields[column(side + "_elo")];
        if (fields[column(side)] != player || elo.empty() || month.empty()) continue;
        highest[month] = std::max(highest[month], static_cast<unsigned>(std::stoul(elo)));
      }
    }
    return highest;
  }
};

TEST_F(RatingCurveTest, DrawsMonthsAndGaps) {
  // The third point is in the middle of its year.
  const ParsedXml figure =
      parsed(elo_by_month({{2000, 1, 2500}, {2000, 7, 2600}, {2002, 0, 2550}}));
  EXPECT_THAT(texts(figure, "p"),
              ElementsAre("Elo from 2500 in 2000.01 to 2550 in 2002, highest 2600 in 2000.07"));
  EXPECT_THAT(texts(figure, "text"), ElementsAre("2500", "2520", "2540", "2560", "2580", "2600",
                                                 "2620", "2000", "2001", "2002", "2003"));
  EXPECT_EQ(line_of(figure), "M72 266h0L177 56M587 161h0");
}

TEST_F(RatingCurveTest, YearWithoutRatingIsAGap) {
  EXPECT_THAT(line_of(parsed(elo_by_month({{2000, 6, 2500}, {2001, 6, 2500}}))),
              ContainsRegex("^M[0-9]+ 266h0L[0-9]+ 266$"));
  EXPECT_THAT(line_of(parsed(elo_by_month({{2000, 6, 2500}, {2001, 7, 2500}}))),
              ContainsRegex("^M[0-9]+ 266h0M[0-9]+ 266h0$"));
  // An unknown month is between June and July.
  EXPECT_THAT(texts(parsed(elo_by_month({{2000, 0, 2501}, {2000, 6, 2500}, {2000, 7, 2502}})), "p"),
              ElementsAre("Elo from 2500 in 2000.06 to 2502 in 2000.07, highest 2502 in 2000.07"));
}

TEST_F(RatingCurveTest, NeedsTwoMonthsOfKnownYears) {
  EXPECT_EQ(drawn({}), "");
  EXPECT_EQ(drawn(elo_by_month({{2000, 1, 2500}, {0, 1, 2500}, {0, 0, 2500}})), "");
}

// For any years and ratings, an axis has at most seven marks, and no point leaves the picture.
TEST_F(RatingCurveTest, StaysInItsPicture) {
  const std::vector<std::vector<std::uint16_t>> cases = {
      elo_by_month({{1, 0, 1}, {2047, 12, 4095}}),
      elo_by_month({{1999, 12, 4095}, {2000, 1, 4095}}),
      elo_by_month({{1970, 1, 2000}, {2026, 11, 2899}}),
      std::vector<std::uint16_t>(ColumnBatch::kYears * SetFacts::kMonths, 2700)};
  for (const std::vector<std::uint16_t>& elo_by_month : cases) {
    const ParsedXml figure = parsed(elo_by_month);
    EXPECT_LE(texts(figure, "text").size(), 14U);
    std::string line = line_of(figure);
    std::ranges::replace_if(
        line, [](char c) { return c == 'M' || c == 'L'; }, '\n');
    const std::vector<std::string> points = tests::split(line.substr(1), '\n');
    EXPECT_EQ(points.size(), known(elo_by_month).size());
    for (const std::string& point : points) {
      std::istringstream numbers(point);
      unsigned x = 0;
      unsigned y = 0;
      ASSERT_TRUE(numbers >> x >> y) << point;
      EXPECT_TRUE(x >= 64 && x <= 692 && y >= 14 && y <= 266) << point;
    }
  }
}

// The points are those that the lines of index.tsv have, counted by one thread or by several.
TEST_F(RatingCurveTest, RatingsAreThoseOfTheIndex) {
  const Shared database = open(random_files(20'000, 300, 5));
  const DatabaseGames all(database, database->shown());
  const Identities who(all, Identities::Of::Spellings);
  const codec::scid::NameTable& players = database->names()[NameKind::Player];
  std::size_t months = 0;
  for (const DatabaseGames& set : many_sets(database, 6)) {
    for (const std::uint32_t player : {1U, 2U, 3U, 200U}) {
      const std::string name(players.text(player));
      const RatingsByMonth expected = recounted(set, name);
      const std::optional<Subject> subject =
          several(*database, [&](std::uint32_t id) { return players.text(id) == name; });
      for (const WorkBudget& budget : {whole(), on_one_thread()}) {
        const auto findings = find_out(set, who, subject, 1, budget);
        ASSERT_TRUE(findings.ok()) << findings.status();
        EXPECT_EQ(known(findings->facts.elo_by_month), expected) << name;
      }
      months += expected.size();
    }
    const auto findings = find_out(set, who, std::nullopt, 1, whole());
    ASSERT_TRUE(findings.ok()) << findings.status();
    EXPECT_THAT(findings->facts.elo_by_month, IsEmpty()) << "no subject";
  }
  EXPECT_THAT(months, Gt(500U));
}

}  // namespace
}  // namespace scidfs::fs
