// first= and last= in searches, held against the tables of the sets that they take games of.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A database with many equal and many unknown values.
tests::ScidFiles random_database(std::size_t games, std::uint64_t seed) {
  tests::Random random(seed);
  tests::ScidFilesBuilder builder = tests::builder_with_names();
  const auto rating = [&random]() -> codec::Rating {
    if (random.one_in(4)) return {};
    return {.value = static_cast<std::uint16_t>(2000 + random.below(6)),
            .type = random.one_in(8) ? codec::RatingType::Rapid : codec::RatingType::Elo};
  };
  for (std::size_t game = 0; game < games; ++game) {
    codec::scid::IndexEntry entry;
    const tests::ScidEncoder played = tests::random_game(random, {.plies = 1 + random.below(12)});
    entry.white_rating = rating();
    entry.black_rating = rating();
    entry.result = static_cast<codec::Result>(random.below(4));
    if (!random.one_in(4)) {
      entry.date.year = static_cast<std::uint16_t>(2000 + random.below(3));
      if (!random.one_in(3)) entry.date.month = static_cast<std::uint8_t>(1 + random.below(3));
      if (entry.date.month != 0) entry.date.day = static_cast<std::uint8_t>(random.below(3));
    }
    entry.plies = static_cast<std::uint16_t>(random.below(9));
    entry.eco = random.one_in(2) ? codec::parse_eco("B90") : codec::parse_eco("C42");
    if (random.one_in(10)) entry.flags = 1U << codec::scid::kFlagDeleted;
    builder.game(entry, played.record());
  }
  return builder.files();
}

class FirstGamesTest : public LibraryTest {
 protected:
  using Rows = std::vector<std::vector<std::string>>;

  void SetUp() override {
    put("x", tests::read_scid_files(tests::test_data("sample/sample")));
    put("y", random_database(700, 1));
    put("z", random_database(900, 2));
    open(source_);
  }

  Rows rows(const std::string& set) const { return tests::rows_of(text(set + "index.tsv")); }

  // The value of a game by which it is taken; -1 if it is unknown.
  static int value_of(const std::vector<std::string>& row, std::string_view order) {
    const auto number = [&row](std::size_t column) { return std::stoi("0" + row.at(column)); };
    if (order == "plies") return number(kPlies);
    if (order == "elo") {
      const bool is_known = number(kWhiteElo) != 0 && number(kBlackElo) != 0;
      return is_known ? number(kWhiteElo) + number(kBlackElo) : -1;
    }
    const std::string& date = row.at(kDate);
    if (date.empty() || date.starts_with('?')) return -1;
    int value = 0;
    for (const std::string& part : tests::split(date, '.')) {
      value = value * 100 + (part.starts_with('?') ? 0 : std::stoi(part));
    }
    return value;
  }

  // The rows that `first=` or `last=` takes of some.
  static Rows taken(const Rows& all, bool is_last, std::size_t count, const std::string& order) {
    count = std::min(count, all.size());
    if (order.empty()) {
      return is_last ? Rows(all.end() - static_cast<std::ptrdiff_t>(count), all.end())
                     : Rows(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
    }
    std::vector<std::size_t> places(all.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
    const bool is_descending = (order == "elo") != is_last;
    std::ranges::stable_sort(places, [&](std::size_t a, std::size_t b) {
      const int one = value_of(all[a], order);
      const int other = value_of(all[b], order);
      if ((one < 0) != (other < 0)) return other < 0;
      return is_descending ? one > other : one < other;
    });
    places.resize(count);
    std::ranges::sort(places);
    Rows rows;
    for (const std::size_t place : places) rows.push_back(all[place]);
    return rows;
  }

  static constexpr std::size_t kWhiteElo = 2, kBlackElo = 4, kDate = 6, kPlies = 11;
};

TEST_F(FirstGamesTest, AreThoseOfTheTable) {
  for (const std::string set :
       {"x.si4/", "y.si4/", "x.si4/players/ca/Capablanca,_Jose_Raul/",
        "y.si4/search/not-result=draw/", "x.si4/tree/e4/c5/", "x.si4/parts/3/2/", "y.si4/deleted/",
        "together/", "together/search/eco=B/", "together/years/2001/", "x.si4/search/last=500/"}) {
    ASSERT_TRUE(exists(set + "search")) << set;
    const Rows all = rows(set);
    ASSERT_GT(all.size(), 20U) << set;
    for (const std::string order : {"", "elo", "date", "plies"}) {
      for (const bool is_last : {false, true}) {
        for (const std::size_t count : {std::size_t{1}, std::size_t{20}, all.size() / 2,
                                        all.size() - 1, all.size(), std::size_t{4'294'967'295}}) {
          const std::string name = fmt::format("{}={}{}{}", is_last ? "last" : "first", count,
                                               order.empty() ? "" : ",by=", order);
          EXPECT_EQ(rows(set + "search/" + name + "/"), taken(all, is_last, count, order))
              << set << name;
        }
      }
    }
  }
}

// At any place among them, which are of all kinds.
TEST_F(FirstGamesTest, ApplyToAllOtherConditionsOfTheirSearch) {
  for (const std::string base : {"x.si4/search/", "together/search/"}) {
    for (const std::string others : {"eco=B", "result=1-0", "plies=..60", "part=2of3", "text=the",
                                     "reached=KRPvKRP", "eco=B/result=1-0,0-1", "base=y*"}) {
      ASSERT_TRUE(exists(base + others)) << base << others;
      const Rows expected = taken(rows(base + others + "/"), false, 7, "elo");
      for (const std::string& path : {"first=7,by=elo/" + others, others + "/first=7,by=elo"}) {
        EXPECT_EQ(rows(base + path + "/"), expected) << base << path;
      }
    }
    EXPECT_EQ(rows(base + "result=1-0/first=5/eco=B/"),
              taken(rows(base + "result=1-0/eco=B/"), false, 5, ""));
    // Those of a search before narrow what it takes of, whether named there or here.
    EXPECT_EQ(rows(base + "result=1-0/search/first=5/eco=B/"),
              rows(base + "result=1-0/eco=B/first=5/"));
  }
}

TEST_F(FirstGamesTest, AFurtherSearchBeginsAnew) {
  const auto narrowed = [](Rows rows, std::string_view eco) {
    constexpr std::size_t kEco = 10;
    std::erase_if(rows, [&](const auto& row) { return !row.at(kEco).starts_with(eco); });
    return rows;
  };
  for (const std::string base : {"x.si4/search/", "y.si4/search/", "together/search/"}) {
    const Rows first = rows(base + "first=200,by=elo/");
    ASSERT_EQ(first.size(), 200U);
    const Rows of_first = narrowed(first, "B");
    ASSERT_NE(of_first, rows(base + "first=200,by=elo/eco=B/"));
    EXPECT_EQ(rows(base + "first=200,by=elo/search/eco=B/"), of_first);
    EXPECT_EQ(rows(base + "first=200,by=elo/search/last=3,by=date/"),
              taken(first, true, 3, "date"));
    EXPECT_EQ(rows(base + "first=200,by=elo/search/eco=B/last=3,by=date/search/result=1-0/"),
              rows(base + "first=200,by=elo/search/last=3,by=date/eco=B/search/result=1-0/"));
    EXPECT_EQ(rows(base + "first=200,by=elo/parts/2/1/").size() +
                  rows(base + "first=200,by=elo/parts/2/2/").size(),
              200U);
    EXPECT_EQ(rows(base + "first=200/tree/e4/"), rows(base + "first=200/search/line=e4/"));
  }
  // The player before stays the one from whose side results are seen.
  EXPECT_EQ(text("x.si4/search/player=Carlsen*/first=9999/search/opponent=C*/opponents.tsv"),
            text("x.si4/search/player=Carlsen*/opponent=C*/opponents.tsv"));
}

TEST_F(FirstGamesTest, HaveAllFilesOfASet) {
  const std::string pgn = text("together/search/first=20,by=plies/games.pgn");
  EXPECT_EQ(text("together/search/first=20,by=plies/parts/1/1/games.pgn"), pgn);
  EXPECT_THAT(text("x.si4/search/first=20,by=elo/summary.txt"), HasSubstr("20"));
  EXPECT_FALSE(exists("x.si4/search/first=20/moments.epd"));
  EXPECT_TRUE(exists("x.si4/search/played=Bxh7/first=3/moments.epd"));
  EXPECT_EQ(tests::split(text("x.si4/search/first=3/played=Bxh7/moments.epd"), '\n').size(), 3U);
  EXPECT_THAT(rows("x.si4/search/year=1..2/first=3,by=elo/"), IsEmpty());
}

// The first of all change with any of the databases.
TEST_F(FirstGamesTest, FollowTheDatabasesTogether) {
  const std::string set = "together/search/first=30,by=elo/";
  for (std::uint64_t seed = 3; seed < 6; ++seed) {
    put("z", random_database(300 * seed, seed));
    library_->rescan();
    tree_->renew();
    EXPECT_EQ(rows(set), taken(rows("together/"), false, 30, "elo")) << seed;
  }
}

TEST_F(FirstGamesTest, SaysWhatIsNoNumberOrOrder) {
  const struct {
    std::string name;
    std::string reason;
  } cases[] = {
      {"first=0",
       "first requires a number of games such as 20, also in an order such as "
       "20,by=elo: it takes 1 to 4294967295 games"},
      {"last=", "last requires"},
      {"first=-1", "it takes 1 to 4294967295 games"},
      {"first=4294967296", "it takes 1 to 4294967295 games"},
      {"first=99999999999999999999", "it takes 1 to 4294967295 games"},
      {"first=1..5", "it takes 1 to 4294967295 games"},
      {"first=by=elo", "it takes 1 to 4294967295 games"},
      {"last=20,by=name", "behind the number may stand ,by=elo or ,by=date or ,by=plies"},
      {"last=20,", "behind the number may stand"},
      {"first=20,by=elo,by=date", "behind the number may stand"},
      {"not-first=3", "first takes no `not-`"},
      {"not-last=3,by=elo", "last takes no `not-`"},
      {"first=3/first=4", "duplicate key; a nested search/ may repeat it"},
      {"first=3/last=3", "first and last exclude each other; a nested search/ may have the other"},
  };
  for (const auto& test : cases) {
    EXPECT_FALSE(exists("x.si4/search/" + test.name)) << test.name;
    const std::string name = test.name.substr(test.name.find('/') + 1);
    EXPECT_THAT(text("status.txt"), HasSubstr(test.reason)) << test.name;
    EXPECT_THAT(text("status.txt"), HasSubstr("no facet: " + name + ": ")) << test.name;
  }
  EXPECT_EQ(inode("x.si4/search/first=3/index.tsv"), inode("x.si4/search/first=3/index.tsv"));
  EXPECT_EQ(text("x.si4/search/first=003/index.tsv"), text("x.si4/search/first=3/index.tsv"));
}

}  // namespace
}  // namespace scidfs::fs
