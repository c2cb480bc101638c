// novelties.tsv and evals.tsv of sets and positions.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fs/positions/novelties.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_writer.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class NoveltiesFileTest : public LibraryTest {
 protected:
  using Row = std::vector<std::string>;
  enum NoveltyColumn : std::uint8_t { kNumber, kPly, kMove, kGames, kLast, kPath, kColumns };

  void SetUp() override { open(tests::test_data("sample/sample.si4")); }

  std::vector<Row> rows(const std::string& path) const { return tests::rows_of(text(path)); }
  // The date of a row of index.tsv, with a digit for each question mark: they compare as texts.
  static std::string day_of(const Row& game, char unknown) {
    constexpr std::size_t kDateOfIndex = 6;
    std::string day = game.at(kDateOfIndex);
    std::ranges::replace(day, '?', unknown);
    return day;
  }
  // The numbers of the games of a position that were played before a day.
  std::vector<std::string> before(const std::string& position, const std::string& day) const {
    std::vector<std::string> games;
    for (const Row& game : rows(position + "/index.tsv")) {
      if (day_of(game, '9') < day) games.push_back(game.at(0));
    }
    return games;
  }
};

TEST_F(NoveltiesFileTest, ExistInEverySet) {
  for (const std::string set :
       {"", "deleted/", "players/ca/Carlsen,_Magnus/", "players/Carlsen,_Magnus/white/",
        "events/2018/WCh_2018--London_ENG/", "years/2018/11/", "eco/B/B33/", "flags/user/",
        "search/eco=B/", "search/eco=B/search/year=2018/", "tree/e4/", "tree/e4/search/eco=B/"}) {
    SCOPED_TRACE(set);
    EXPECT_THAT(text(set + "novelties.tsv"), StartsWith("number\tply\tmove\tgames\tlast\tpath\n"));
    EXPECT_THAT(text(set + "novelties.csv"), StartsWith("number,ply,move,games,last,path\n"));
    EXPECT_THAT(text(set + "evals.tsv"), StartsWith("number\tply\tmove\teval\tclock\n"));
    EXPECT_THAT(text(set + "evals.csv"), StartsWith("number,ply,move,eval,clock\n"));
    EXPECT_THAT(names(set), Not(Contains("novelties.tsv")));
    EXPECT_THAT(text(set + "index.html"), Not(HasSubstr("novelties.tsv")));
  }
}

// Games are compared with those of the whole database, in every set.
TEST_F(NoveltiesFileTest, HaveTheGamesOfTheSet) {
  const std::vector<Row> all = rows("novelties.tsv");
  EXPECT_GT(all.size(), 100U);
  for (const std::string set : {"eco/B/", "players/ca/Carlsen,_Magnus/", "tree/e4/c5/"}) {
    std::vector<Row> wanted;
    for (const Row& game : rows(set + "index.tsv")) {
      const auto row = std::ranges::find(all, game.at(0), [](const Row& each) { return each[0]; });
      if (row != all.end()) wanted.push_back(*row);
    }
    EXPECT_FALSE(wanted.empty()) << set;
    EXPECT_EQ(rows(set + "novelties.tsv"), wanted) << set;
  }
}

TEST_F(NoveltiesFileTest, AgreeWithPositions) {
  std::map<std::string, std::string> days;
  for (const Row& game : rows("index.tsv")) days[game.at(0)] = day_of(game, '0');
  std::size_t known = 0;
  for (const Row& row : rows("eco/B/novelties.tsv")) {
    ASSERT_EQ(row.size(), kColumns);
    SCOPED_TRACE(row[kNumber]);
    const std::string& day = days.at(row[kNumber]);
    const std::vector<std::string> games = before(row[kPath], day);
    EXPECT_EQ(row[kGames], std::to_string(games.size()));
    if (games.empty()) {
      EXPECT_EQ(row[kLast], "");
    } else {
      EXPECT_THAT(games, Contains(row[kLast]));
      ++known;
    }
    EXPECT_THAT(before(row[kPath] + "/" + row[kMove], day), IsEmpty());
  }
  EXPECT_GT(known, 100U);
}

TEST_F(NoveltiesFileTest, EvaluationsHaveTheGamesOfTheSet) {
  tests::ScidWriter writer;
  for (const std::string white : {"A", "B", "A"}) {
    writer.add(tests::ScidEncoder()
                   .move("e4")
                   .comment("[%eval 0.3] [%clk 0:10:00]")
                   .move("e5")
                   .comment("[%eval #-1]")
                   .record(),
               white, "C");
  }
  put("noted", writer.files());
  open(source_ / "noted.si4");
  EXPECT_EQ(text("search/white=A/evals.tsv"),
            "number\tply\tmove\teval\tclock\n1\t1\te4\t0.30\t600\n1\t2\te5\t-100.00\t\n"
            "3\t1\te4\t0.30\t600\n3\t2\te5\t-100.00\t\n");
}

TEST_F(NoveltiesFileTest, AreRefusedWhereThereAreTooManyGames) {
  tests::ScidWriter writer;
  const std::string one_move = record("e4");
  for (std::size_t game = 0; game <= kMostGamesOfNovelties; ++game) writer.add(one_move, "A", "B");
  put("large", writer.files());
  open(source_ / "large.si4");
  for (const auto& [name, purpose] : {std::pair("novelties.tsv", "find their novelties"),
                                      {"evals.tsv", "show their evaluations"}}) {
    const absl::StatusOr<Entry> found = find(name);
    EXPECT_TRUE(absl::IsUnimplemented(found.ok() ? read(found->attributes.inode).status()
                                                 : found.status()));
    EXPECT_THAT(text("status.txt"),
                HasSubstr(fmt::format("no query: {}: more than 10000 games: too many to {}\n", name,
                                      purpose)));
  }
}

}  // namespace
}  // namespace scidfs::fs
