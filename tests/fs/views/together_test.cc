// together/: several databases as one, held against the same games in one database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "fs/base/filename.h"
#include "tests/fs/views/together_fixture.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(TogetherTest, TablesAreThoseOfAllGamesInOneDatabase) {
  for (const std::size_t count : {2, 3, 7}) {
    deal(count, count);
    for (const std::string set :
         {"", "players/ca/Carlsen,_Magnus/", "players/ca/Carlsen,_Magnus/black/",
          "events/2018/WCh_2018--London_ENG/", "years/2018/", "years/2018/11/", "eco/B/",
          "eco/B/B33/", "flags/user/", "endings/rook/", "search/eco=B/",
          "search/white=Carlsen*/search/not-result=draw/",
          "players/ca/Carlsen,_Magnus/search/opponent=C*/", "search/reached=KRPvKR/", "tree/e4/",
          "tree/e4/c5/search/year=2018/", "years/2018/tree/d4/"}) {
      const std::string whole = std::string(kWhole) + set;
      const std::string together = std::string(kTogether) + set;
      SCOPED_TRACE(fmt::format("{} of {}", set, count));
      ASSERT_TRUE(exists(together));
      EXPECT_EQ(tests::games_of_index(text(together + "index.tsv")),
                tests::games_of_index(text(whole + "index.tsv")));
      for (const std::string file : {"players.tsv", "openings.tsv", "years.tsv", "endings.tsv",
                                     "moves.tsv", "opponents.tsv", "players.csv"}) {
        ASSERT_EQ(exists(together + file), exists(whole + file)) << file;
        if (!exists(whole + file)) continue;
        EXPECT_EQ(tests::sorted_lines(text(together + file)),
                  tests::sorted_lines(text(whole + file)))
            << file;
      }
      EXPECT_EQ(sorted_texts(text(together + "games.pgn")),
                sorted_texts(text(whole + "games.pgn")));
    }
  }
}

// All names of the directories, two levels deep.
TEST_F(TogetherTest, DirectoriesAreThoseOfAllDatabases) {
  deal(3, 4);
  for (const std::string directory :
       {"", "players/", "players/ca/", "players/ca/Carlsen,_Magnus/", "events/", "events/2018/",
        "years/", "years/2018/", "eco/B/", "doubles/", "doubles/unique/", "flags/", "endings/",
        "search/", "tree/", "positions/"}) {
    std::vector<std::string> expected = names(std::string(kWhole) + directory);
    if (directory.empty()) {
      std::erase_if(expected, [](const std::string& name) {
        return name == "games" || name == "fens" || name == "deleted" || name == "errors.tsv";
      });
    }
    std::vector<std::string> found = names(std::string(kTogether) + directory);
    std::ranges::sort(expected);
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << directory;
  }
}

TEST_F(TogetherTest, IndexLeadsToGamesInTheirDatabases) {
  deal(3, 5);
  const std::vector<std::vector<std::string>> rows =
      tests::rows_of(text(std::string(kTogether) + "years/2018/index.tsv"));
  EXPECT_FALSE(rows.empty());
  constexpr std::size_t kPath = 12;
  std::set<std::string> databases;
  for (const std::vector<std::string>& row : rows) {
    databases.insert(row.back());
    EXPECT_EQ(row[kPath].find("../" + row.back() + "/games/"), 0U);
    EXPECT_TRUE(exists("parts/" + row[kPath].substr(3))) << row[kPath];
    EXPECT_TRUE(exists(fmt::format("parts/{}/games/{}.pgn", row.back(), row[0])));
  }
  EXPECT_THAT(databases, ElementsAre("part0.si4", "part2.si4", "sub/part1.si4"));
}

// The mount shows a name as tables have it, so that paths in tables lead somewhere.
TEST_F(TogetherTest, IndexLeadsToDatabasesWhoseNamesAreNoText) {
  const tests::ScidFiles files = tests::read_scid_files(tests::test_data("scid4/fen"));
  for (const std::string name : {"a\tb", "a b", "a\nb", "lat\xe9", "lat\xc3\xa9", "c\xe2\x80\xa8",
                                 "sub\r/x", "sub /x", "100%41", "~"}) {
    std::filesystem::create_directories((source_ / name).parent_path());
    put(name, files);
  }
  put("a b", tests::read_scid_files(tests::test_data("scid4/eco")));
  open(source_);
  std::map<std::string, std::size_t> games;
  for (const auto& row : tests::rows_of(text("together/index.tsv"))) {
    ++games[row.back()];
    EXPECT_EQ(text(row[12].substr(3)), text(fmt::format("{}/games/{}.pgn", row.back(), row[0])));
  }
  std::vector<std::string> databases;
  for (const auto& [database, count] : games) {
    databases.push_back(database);
    EXPECT_EQ(count, tests::rows_of(text(database + "/index.tsv")).size()) << database;
    const std::string pattern = escape_name(database);
    EXPECT_EQ(
        tests::rows_of(text(fmt::format("together/search/base={}/index.tsv", pattern))).size(),
        count)
        << pattern;
  }
  EXPECT_THAT(databases, ElementsAre("100%41.si4", "a b.si4", "a b.si4~1", "a b.si4~2", "c .si4",
                                     "lat\xc3\xa9.si4", "lat\xc3\xa9.si4~1", "sub /x.si4",
                                     "sub ~1/x.si4", "~.si4"));
  // What was clean keeps its name.
  EXPECT_EQ(text("a b.si4/all.pgn"), decoded("a b"));
  EXPECT_THAT(text("info.txt"), HasSubstr("database: a b.si4~2: "));
}

TEST_F(TogetherTest, BaseChoosesDatabases) {
  deal(3, 6);
  const auto databases = [&](const std::string& search) {
    std::set<std::string> found;
    for (const auto& row : tests::rows_of(text(std::string(kTogether) + search + "/index.tsv"))) {
      found.insert(row.back());
    }
    return found;
  };
  EXPECT_THAT(databases("search/base=part1*"), ElementsAre("sub/part1.si4"));
  EXPECT_THAT(databases("search/base=sub%2F*"), ElementsAre("sub/part1.si4"));
  EXPECT_THAT(databases("search/not-base=part1*"), ElementsAre("part0.si4", "part2.si4"));
  EXPECT_THAT(databases("search/base=sub*"), IsEmpty());
  EXPECT_THAT(databases("search/eco=B/search/base=part0*"), ElementsAre("part0.si4"));
  EXPECT_EQ(databases("search/base=part2*/search/number=1").size(), 1U);
  EXPECT_FALSE(exists(std::string(kTogether) + "search/number=1"));
  EXPECT_FALSE(exists(std::string(kTogether) + "search/player=Carlsen,_Magnus~1"));
  // In a database of its own it means that one.
  EXPECT_EQ(text("parts/part0.si4/search/base=part0*/index.tsv"),
            text("parts/part0.si4/index.tsv"));
}

TEST_F(TogetherTest, IsThereWhereFoldersHaveSeveralDatabases) {
  deal(3, 7);
  EXPECT_TRUE(exists("together"));
  EXPECT_TRUE(exists("parts/together"));
  EXPECT_FALSE(exists("parts/sub/together"));
  EXPECT_FALSE(exists("one/together"));
  EXPECT_THAT(names("parts"), Not(Contains("together")));
  const std::string info = text("together/info.txt");
  EXPECT_THAT(info, HasSubstr("databases: 4\n"));
  EXPECT_THAT(info, HasSubstr("database: one/whole.si4: "));
  EXPECT_THAT(info, HasSubstr("database: parts/sub/part1.si4: "));
  for (const std::string name :
       {"games", "fens", "errors.tsv", "deleted", "index.html", "doubles/index.html"}) {
    EXPECT_FALSE(exists(std::string(kTogether) + name)) << name;
  }
  options_.together = TogetherMode::Listed;
  open(source_);
  EXPECT_THAT(names("parts"), Contains("together"));
  EXPECT_THAT(text("parts/together/.ignore"), EndsWith("\n*\n"));
  options_.together = TogetherMode::None;
  open(source_);
  EXPECT_FALSE(exists("parts/together"));
}

TEST_F(TogetherTest, SourceMayHaveAnEntryOfThisName) {
  deal(2, 8);
  const tests::ScidFiles files = tests::read_scid_files(tests::test_data("sample/sample"));
  std::filesystem::create_directories(source_ / "together");
  put("together/x", files);
  open(source_);
  EXPECT_TRUE(exists("together~1/x.si4/info.txt"));
  EXPECT_THAT(text("together/info.txt"), HasSubstr("database: together~1/x.si4: "));
}

TEST_F(TogetherTest, FollowsChangesOfDatabases) {
  deal(2, 9);
  const std::string set = std::string(kTogether) + "years/2018/";
  const Inode before = inode(set);
  const std::string old = text(set + "index.tsv");
  const tests::ScidDatabase sample(tests::test_data("sample/sample"));
  tests::PartBuilder other(sample);
  for (std::uint32_t game = 0; game < sample.games(); ++game) other.add(game);
  put("parts/more", other.files());
  library_->rescan();
  tree_->renew();
  EXPECT_EQ(inode(set), before);
  const std::string now = text(set + "index.tsv");
  EXPECT_EQ(tests::rows_of(now).size(), 2 * tests::rows_of(old).size());
  for (const std::string suffix : {".si4", ".sn4", ".sg4"}) {
    std::filesystem::remove(source_ / ("parts/more" + suffix));
    std::filesystem::remove(source_ / ("parts/sub/part1" + suffix));
  }
  library_->rescan();
  tree_->renew();
  EXPECT_FALSE(exists("parts/together"));
}

}  // namespace
}  // namespace scidfs::fs
