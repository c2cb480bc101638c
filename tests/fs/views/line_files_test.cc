// lines.pgn of sets and positions, and the files with bounds in lines/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fs/positions/line_bounds.h"
#include "fs/search/query.h"
#include "tests/fs/library_fixture.h"
#include "tests/support/lines_check.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* kAfterC5 = "rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w";

// A text without its first line, which names the set.
std::string without_title(const std::string& text) { return text.substr(text.find('\n')); }

class LineFilesTest : public LibraryTest {
 protected:
  void SetUp() override { open(tests::test_data("sample/sample.si4")); }

  tests::Lines lines_of(const std::string& path) const {
    std::vector<std::string> faults;
    tests::Lines lines = tests::parse_lines(text(path), faults);
    EXPECT_THAT(faults, IsEmpty()) << path;
    return lines;
  }

  // Expects that all places of lines have the moves of moves.tsv that have at least so many games,
  // in its order, with its numbers. `set` is the directory of the set, with a slash, or empty.
  void expect_tables(const std::string& set, const std::string& file, unsigned games) {
    const tests::Lines lines = lines_of(set + file);
    expect_tables(lines, set, games);
  }
  void expect_tables(const tests::Lines& lines, const std::string& set, unsigned games) {
    for (const auto& [name, place] : lines.places) {
      SCOPED_TRACE(set + name);
      std::vector<tests::LineMove> shown;
      for (const tests::LineMove& move : place.moves) {
        shown.push_back({.san = move.san, .games = move.games, .score = move.score});
      }
      std::vector<tests::LineMove> table;
      const std::vector<std::string> rows =
          tests::split(text(set + "positions/" + name + "/moves.tsv"), '\n');
      for (std::size_t i = 1; i < rows.size(); ++i) {
        const std::vector<std::string> row = tests::split(rows[i], '\t');
        const auto of_move = static_cast<std::uint32_t>(std::stoul(row.at(2)));
        if (of_move < games) continue;
        table.push_back({.san = row.at(0), .games = of_move, .score = row.at(7)});
      }
      EXPECT_EQ(shown, table);
    }
    checked_ += lines.moves;
  }

  std::size_t checked_ = 0;  // moves
};

TEST_F(LineFilesTest, ExistInEverySetAndAreNotListed) {
  for (const std::string& set : std::vector<std::string>{
           "", "deleted/", "players/ca/Carlsen,_Magnus/", "players/ca/Carlsen,_Magnus/white/",
           "players/Carlsen,_Magnus/", "events/2018/WCh_2018--London_ENG/", "years/2018/",
           "years/2018/11/", "eco/B/", "eco/B/B33/", "flags/user/", "doubles/unique/",
           "search/eco=B/", "search/eco=B/search/year=2018/", "tree/e4/",
           "positions/" + std::string(kAfterC5) + "/"}) {
    SCOPED_TRACE(set);
    const std::string directory = set.substr(0, set.empty() ? 0 : set.size() - 1);
    const std::vector<std::string> listed = names(directory);
    EXPECT_THAT(listed, Not(Contains("lines.pgn")));
    EXPECT_THAT(listed, Not(Contains("lines")));
    for (const char* const name : {"lines.pgn", "lines/side=white.pgn", "lines/side=black.pgn"}) {
      ASSERT_TRUE(exists(set + name)) << name;
      EXPECT_FALSE(find(set + name)->attributes.is_directory) << name;
      lines_of(set + name);
    }
    ASSERT_TRUE(exists(set + "lines"));
    EXPECT_TRUE(find(set + "lines")->attributes.is_directory);
    EXPECT_THAT(names(set + "lines"), IsEmpty());
    EXPECT_EQ(find(set + "lines/..")->attributes.inode, inode(directory));
    EXPECT_EQ(without_title(text(set + "lines/plies=40.pgn")),
              without_title(text(set + "lines.pgn")));
  }
  EXPECT_THAT(text("players/Carlsen,_Magnus/lines.pgn"),
              StartsWith("[Event \"Carlsen, Magnus\"]\n"));
}

TEST_F(LineFilesTest, HaveTheNumbersOfTheTables) {
  expect_tables("", "lines/plies=6,games=20.pgn", 20);
  expect_tables("", "lines/plies=3,games=2.pgn", 2);
  expect_tables("players/Carlsen,_Magnus/", "lines/games=8.pgn", 8);
  expect_tables("search/result=1-0/", "lines/plies=8,games=12.pgn", 12);
  // Those of a position are the numbers of the tree below it.
  expect_tables(lines_of("tree/e4/lines/plies=5,games=15.pgn"), "", 15);
  expect_tables(lines_of("eco/B/tree/e4/c5/lines/plies=5,games=9.pgn"), "eco/B/", 9);
  EXPECT_GT(checked_, 100U);
}

TEST_F(LineFilesTest, BeginAtThePosition) {
  const std::string position = std::string("positions/") + kAfterC5;
  const tests::Lines at = lines_of(position + "/lines/plies=4,games=5.pgn");
  EXPECT_THAT(text(position + "/lines.pgn"),
              HasSubstr("\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR "
                        "w KQkq - 0 1\"]\n\n"));
  EXPECT_THAT(at.first, IsEmpty());
  const tests::Lines below = lines_of("tree/e4/c5/lines/plies=4,games=5.pgn");
  EXPECT_THAT(text("tree/e4/c5/lines.pgn"), Not(HasSubstr("FEN")));
  EXPECT_THAT(below.first, ElementsAre("e4", "c5"));
  EXPECT_EQ(below.moves, at.moves);
  ASSERT_GT(at.moves, 10U);
  for (const auto& [name, place] : at.places) {
    ASSERT_TRUE(below.places.contains(name)) << name;
    const std::vector<tests::LineMove>& moves = below.places.at(name).moves;
    ASSERT_EQ(moves.size(), place.moves.size()) << name;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      EXPECT_EQ(moves[i].games, place.moves[i].games);
      EXPECT_EQ(moves[i].san, place.moves[i].san);
    }
  }
  // However the moves are written.
  EXPECT_EQ(without_title(text("tree/e2e4,c7c5/lines.pgn")),
            without_title(text("tree/e4/c5/lines.pgn")));
}

TEST_F(LineFilesTest, AreRepertoires) {
  const tests::Lines white = lines_of("lines/best=2,side=white.pgn");
  const tests::Lines black = lines_of("lines/side=black.pgn");
  ASSERT_GT(white.places.size(), 10U);
  ASSERT_GT(black.places.size(), 10U);
  for (const auto& [name, place] : white.places) {
    EXPECT_TRUE(!name.ends_with("_w") || place.moves.size() == 1) << name;
  }
  for (const auto& [name, place] : black.places) {
    if (!name.ends_with("_b")) continue;
    ASSERT_EQ(place.moves.size(), 1U) << name;
    const std::string table = text("positions/" + name + "/moves.tsv");
    EXPECT_EQ(place.moves[0].san, tests::split(tests::split(table, '\n').at(1), '\t').at(0));
  }
}

TEST_F(LineFilesTest, HaveOneNumberForEqualBounds) {
  EXPECT_EQ(inode("lines/games=30,plies=2.pgn"), inode("lines/plies=2,games=30.pgn"));
  EXPECT_EQ(inode("lines/games=30,plies=02.pgn"), inode("lines/plies=2,games=30.pgn"));
  EXPECT_NE(inode("lines/games=30.pgn"), inode("lines/games=30,side=white.pgn"));
  EXPECT_NE(inode("lines/games=30.pgn"), inode("eco/B/lines/games=30.pgn"));
  // A text is kept for any way to write a query.
  const auto made = [this] { return library_->searches().results.counters().made; };
  const std::string one = text("search/eco=B/result=1-0/lines/games=9.pgn");
  const std::uint64_t before = made();
  const std::string other = text("search/result=1-0/eco=B/lines/games=9.pgn");
  EXPECT_EQ(made(), before);
  EXPECT_EQ(without_title(other), without_title(one));
}

TEST_F(LineFilesTest, ParseAgain) {
  for (const std::string path :
       {"lines/plies=24,games=3.pgn", "tree/e4/c5/lines/plies=40,best=20,side=white.pgn",
        "search/eco=B/lines/plies=40,side=black.pgn"}) {
    const auto query = parse_query({}, path);
    ASSERT_TRUE(query.ok()) << path << ": " << query.status();
    EXPECT_EQ(query->path, path);
    const std::size_t end = query->file.rfind('.');
    ASSERT_NE(end, std::string::npos);
    const auto bounds = parse_line_bounds(query->file.substr(0, end));
    ASSERT_TRUE(bounds.ok()) << bounds.status();
    EXPECT_THAT(path, testing::EndsWith("/" + line_bounds_text(*bounds) + ".pgn"));
  }
}

TEST_F(LineFilesTest, RefuseInvalidBounds) {
  for (const char* const path :
       {"lines/plies=0.pgn", "lines/plies=24", "lines/best=20.pgn",
        "lines/nothing=1,side=white.pgn", "lines/.pgn", "lines/index.html", "lines/lines.pgn",
        "lines/side=red.pgn", "lines-white.pgn", "lines-white", "games/lines.pgn",
        "search/lines.pgn", "positions/lines"}) {
    EXPECT_EQ(find(path).status().code(), absl::StatusCode::kNotFound) << path;
  }
  const std::string status = text("status.txt");
  EXPECT_THAT(status, HasSubstr("no lines: plies=0.pgn: plies=1 to plies=200\n"));
  EXPECT_THAT(status, HasSubstr("no lines: best=20.pgn: best needs side=white or side=black\n"));
  EXPECT_THAT(status, HasSubstr("no lines: plies=24: the name ends in .pgn\n"));
  EXPECT_THAT(status, Not(HasSubstr("no lines: index.html")));
}

TEST_F(LineFilesTest, AreRefusedWhereThereAreTooManyMoves) {
  const absl::StatusOr<Entry> found = find("lines/plies=200,games=1.pgn");
  EXPECT_TRUE(
      absl::IsUnimplemented(found.ok() ? read(found->attributes.inode).status() : found.status()));
}

}  // namespace
}  // namespace scidfs::fs
