// endings/ and endings.tsv of sets, against a recount from fens/ and index.tsv.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/ending_classes.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/endings_of_boards.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using codec::EndingClass;
using codec::kEndingClasses;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

class EndingsTest : public LibraryTest {
 protected:
  void SetUp() override { open_database("sample/sample.si4"); }

  void open_database(const std::string& name) {
    open(tests::test_data(name));
    endings_.clear();
  }

  // The endings of a game by the lines of its file in fens/.
  const tests::Endings& endings_of(const std::string& number) {
    const auto [found, is_new] = endings_.try_emplace(number);
    if (is_new) {
      std::vector<std::string> boards;
      for (const std::string& line : tests::split(text("fens/" + number + ".epd"), '\n')) {
        boards.push_back(line.substr(0, line.find(' ')));
      }
      found->second = tests::endings_of_boards(boards);
    }
    return found->second;
  }

  // The numbers of the games of a set, or of those that come to a class.
  std::vector<std::string> games_of(const std::string& set) const {
    std::vector<std::string> numbers;
    for (const auto& row : tests::rows_of(text(set + "index.tsv"))) numbers.push_back(row.at(0));
    return numbers;
  }
  std::vector<std::string> games_of(const std::string& set, std::string_view ending) {
    std::vector<std::string> numbers = games_of(set);
    std::erase_if(numbers,
                  [&](const std::string& number) { return !endings_of(number).contains(ending); });
    return numbers;
  }

  // The classes of endings.tsv of a set: name, games, wins, draws, losses.
  std::set<std::string> counted(const std::string& set) {
    constexpr std::size_t kResult = 5;
    struct Counts {
      int games = 0, wins = 0, draws = 0, losses = 0;
    };
    std::map<std::string, Counts> counts;
    for (const auto& row : tests::rows_of(text(set + "index.tsv"))) {
      for (const auto& [ending, plies] : endings_of(row.at(0))) {
        Counts& of_ending = counts[ending];
        ++of_ending.games;
        of_ending.wins += row.at(kResult) == "1-0" ? 1 : 0;
        of_ending.draws += row.at(kResult) == "1/2-1/2" ? 1 : 0;
        of_ending.losses += row.at(kResult) == "0-1" ? 1 : 0;
      }
    }
    std::set<std::string> lines;
    for (const auto& [ending, of] : counts) {
      lines.insert(fmt::format("{} {} {} {} {}", ending, of.games, of.wins, of.draws, of.losses));
    }
    return lines;
  }
  std::set<std::string> listed(const std::string& set) const {
    std::set<std::string> lines;
    for (const auto& row : tests::rows_of(text(set + "endings.tsv"))) {
      EXPECT_EQ(row.size(), 9U);
      EXPECT_EQ(row.at(8), "endings/" + row.at(0));
      lines.insert(fmt::format("{} {} {} {} {}", row[0], row[1], row[3], row[4], row[5]));
    }
    return lines;
  }

 private:
  std::map<std::string, tests::Endings> endings_;
};

TEST_F(EndingsTest, TableOfEverySetAgreesWithPositionsOfGames) {
  for (const std::string set : {"", "players/ca/Carlsen,_Magnus/", "players/Carlsen,_Magnus/white/",
                                "events/2018/WCh_2018--London_ENG/", "years/2018/11/", "eco/B/B33/",
                                "flags/user/", "search/eco=B/", "search/eco=B/search/year=2018/",
                                "tree/e4/", "endings/", "endings/rook/"}) {
    SCOPED_TRACE(set);
    EXPECT_EQ(listed(set), counted(set));
    EXPECT_THAT(names(set), Not(Contains("endings.tsv")));
    EXPECT_THAT(text(set + "endings.csv"), StartsWith("class,games,share,"));
    EXPECT_THAT(text(set + "index.html"), Not(HasSubstr("endings.tsv")));
  }
  EXPECT_GT(listed("").size(), 20U);
  EXPECT_TRUE(exists("deleted/endings.tsv"));
}

TEST_F(EndingsTest, OfFixturesAgreeWithPositionsOfGames) {
  for (const char* const name :
       {"scid4/captures", "scid4/fen", "scid4/promotions", "scid4/queens", "scid4/nullmoves",
        "scid4/variations", "scid4/random_fen", "scid4/longgame", "scid4/handmade/corrupt_games"}) {
    SCOPED_TRACE(name);
    open_database(std::string(name) + ".si4");
    EXPECT_EQ(listed(""), counted(""));
  }
}

TEST_F(EndingsTest, HaveASetForEachClassWithGames) {
  std::vector<std::string> wanted = {"index.tsv", "summary.txt"};
  std::set<std::string> any;
  for (const EndingClass& ending : kEndingClasses) {
    SCOPED_TRACE(ending.name);
    const std::string set = fmt::format("endings/{}/", ending.name);
    const std::vector<std::string> games = games_of("", ending.name);
    EXPECT_EQ(games_of(set), games);
    any.insert(games.begin(), games.end());
    if (!games.empty()) wanted.emplace_back(ending.name);
  }
  EXPECT_LT(wanted.size(), 2 + kEndingClasses.size());  // some classes have no game
  EXPECT_EQ(names("endings"), wanted);
  const std::vector<std::string> all = games_of("endings/");
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()), any);
  EXPECT_FALSE(exists("endings/nothing"));
  EXPECT_FALSE(exists("endings/rook/pawn"));
}

TEST_F(EndingsTest, ClassesAreSets) {
  EXPECT_THAT(names(""), Contains("endings"));
  EXPECT_THAT(names("endings/rook"), ElementsAre("games.pgn", "index.tsv", "summary.txt"));
  EXPECT_EQ(inode("endings/rook/rook.pgn"), inode("endings/rook/games.pgn"));
  EXPECT_EQ(inode("endings/rook/.."), inode("endings"));
  EXPECT_EQ(inode("endings/.."), inode(""));
  EXPECT_THAT(text("endings/summary.txt"), StartsWith("Games with an ending\n"));
  EXPECT_THAT(text("endings/bishop-opposite-colors/summary.txt"),
              StartsWith("Endings: bishop opposite colors\n"));
  EXPECT_THAT(games_of("endings/rook/"),
              IsSupersetOf(games_of("endings/rook/search/result=draw/")));
  EXPECT_EQ(text("endings/rook/search/eco=B/index.tsv").empty(), false);
}

// `reached=` finds the same games where one pattern is one class.
TEST_F(EndingsTest, AgreeWithSearches) {
  EXPECT_EQ(games_of("endings/pawnless-rook/"), games_of("search/reached=KRvKR/"));
  EXPECT_EQ(games_of("endings/queen-v-king/"), games_of("search/reached=KQvK/"));
}

}  // namespace
}  // namespace scidfs::fs
