// tree/ and positions/ as directories.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::StartsWith;

constexpr const char* kStart = "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w";
constexpr const char* kSicilian = "rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w";

class LineDirectoriesTest : public LibraryTest {
 protected:
  void SetUp() override { open(tests::test_data("sample/sample.si4")); }

  absl::StatusCode code_of(std::string_view path) const { return find(path).status().code(); }
};

TEST_F(LineDirectoriesTest, ExistInEverySet) {
  for (const std::string& set : std::vector<std::string>{
           "", "deleted/", "players/ca/Carlsen,_Magnus/", "players/ca/Carlsen,_Magnus/white/",
           "players/Carlsen,_Magnus/", "events/2018/WCh_2018--London_ENG/", "years/2018/",
           "years/2018/11/", "eco/B/", "eco/B/B33/", "flags/user/", "search/eco=B/",
           "search/eco=B/search/year=2018/", "tree/e4/",
           "positions/" + std::string(kSicilian) + "/"}) {
    SCOPED_TRACE(set);
    EXPECT_TRUE(find(set + "tree")->attributes.is_directory);
    EXPECT_TRUE(find(set + "positions")->attributes.is_directory);
    EXPECT_THAT(names(set + "tree"), IsSupersetOf({"moves.txt", "moves.tsv", "board.txt"}));
    EXPECT_THAT(names(set + "positions"), ElementsAre("README.txt"));
    // The tree of a set starts with the games of the set.
    EXPECT_EQ(text(set + "tree/games.pgn"), text(set + "search/position=" + kStart + "/games.pgn"));
  }
  EXPECT_THAT(names(""), IsSupersetOf({"tree", "positions"}));
  EXPECT_THAT(names("players/ca/Carlsen,_Magnus"), Not(Contains("tree")));
}

// Or a crawler would go down tree/tree/tree/.
TEST_F(LineDirectoriesTest, HavePagesWithoutLinksToTheTreeBelow) {
  constexpr const char* kBelow = "\"tree/index.html\"";
  constexpr const char* kBeside = "\"../tree/index.html\"";
  EXPECT_THAT(text("index.html"), HasSubstr(kBelow));
  EXPECT_THAT(text("positions/index.html"), HasSubstr(kBeside));
  for (const std::string position : {"tree/", "tree/e4/", "search/result=1-0/tree/"}) {
    EXPECT_THAT(text(position + "index.html"), Not(HasSubstr(kBelow))) << position;
    EXPECT_THAT(text(position + "positions/index.html"), Not(HasSubstr(kBeside))) << position;
  }
}

TEST_F(LineDirectoriesTest, ContainGamesThatReachThem) {
  const std::string games = text("tree/e4/c5/games.pgn");
  EXPECT_FALSE(games.empty());
  EXPECT_EQ(text(std::string("positions/") + kSicilian + "/games.pgn"), games);
  EXPECT_EQ(text(std::string("positions/") + kSicilian + "_KQkq_-/games.pgn"), games);
  EXPECT_EQ(text(std::string("positions/") + kStart + "/e4/c5/games.pgn"), games);
  EXPECT_EQ(text(std::string("search/position=") + kSicilian + "/games.pgn"), games);
  EXPECT_EQ(text("tree/e4/c5/c5.pgn"), games);
  EXPECT_EQ(text("tree/tree/e4/tree/e4/c5/games.pgn"), games);
  for (const char* const name :
       {"index.tsv", "summary.txt", "players.tsv", "openings.tsv", "years.tsv", "events.tsv"}) {
    EXPECT_EQ(text(std::string("tree/e4/c5/") + name).empty(), false) << name;
  }
  EXPECT_THAT(text("tree/e4/c5/summary.txt"), StartsWith("tree/e4/c5\n"));
  EXPECT_THAT(text("eco/B/tree/e4/summary.txt"), StartsWith("ECO B: tree/e4\n"));
  EXPECT_EQ(text("tree/e4/search/result=1-0/index.tsv"),
            text("search/result=1-0/tree/e4/index.tsv"));
  EXPECT_EQ(text("players/Carlsen,_Magnus/white/tree/moves.tsv"),
            text("search/white=Carlsen,_Magnus/tree/moves.tsv"));
}

// Compares years.tsv of a position with the table of moves of each year.
TEST_F(LineDirectoriesTest, YearsTableAgreesWithMovesTablesOfYears) {
  for (const std::string path : {"tree", "tree/e4/c5", "tree/d4/Nf6/c4"}) {
    const std::vector<std::string> years = tests::split(text(path + "/years.tsv"), '\n');
    ASSERT_GT(years.size(), 5U) << path;
    for (std::size_t i = 1; i < years.size(); ++i) {
      const std::vector<std::string> row = tests::split(years[i], '\t');
      ASSERT_EQ(row.size(), 8U) << years[i];
      if (row[0] == "_unknown") continue;  // one game, without moves
      const std::string moves = text("years/" + row[0] + '/' + path + "/moves.tsv");
      const std::vector<std::string> first = tests::split(tests::split(moves, '\n').at(1), '\t');
      EXPECT_EQ(row[7], first[0]) << path << ": " << years[i];
    }
  }
}

TEST_F(LineDirectoriesTest, AcceptMovesInAnyNotation) {
  const std::string moves = text("tree/e4/e5/Nf3/moves.tsv");
  for (const char* const path : {"tree/e2e4/e5/g1f3", "tree/e4!/e7e5/Ngf3", "tree/e4/e5?!/Nf3+"}) {
    EXPECT_EQ(text(std::string(path) + "/moves.tsv"), moves) << path;
  }
  EXPECT_TRUE(exists("tree/e4/e5/Nf3/Nc6/Bc4/Bc5/0-0"));
  EXPECT_TRUE(exists("tree/e4/e5/Nf3/Nc6/Bc4/Bc5/O-O"));
  for (const char* const path :
       {"tree/e5", "tree/Ke2", "tree/e4/e5/0-0", "tree/nothing", "tree/e4/moves", "tree/e4.pgn"}) {
    EXPECT_EQ(code_of(path), absl::StatusCode::kNotFound) << path;
  }
}

TEST_F(LineDirectoriesTest, TakeSeveralMovesInOneName) {
  const std::string from = std::string("positions/") + kStart + '/';
  for (const auto& [name, step_by_step] : std::vector<std::pair<std::string, std::string>>{
           {"tree/e4,c5", "tree/e4/c5"},
           {"tree/e2e4,c7c5,g1f3", "tree/e4/c5/Nf3"},
           {"tree/e4/c5,Nf3/d6", "tree/e4/c5/Nf3/d6"},
           {"tree/e4!,e5?!,Ngf3+", "tree/e4/e5/Nf3"},
           {"tree/e4,e5,Nf3,Nc6,Bc4,Bc5,0-0", "tree/e4/e5/Nf3/Nc6/Bc4/Bc5/O-O"},
           {"tree/--,d7d5,0000", "tree/--/d5/--"},
           {from + "e2e4,c7c5", from + "e4/c5"},
           {from + "e2e4,c7c5/search/result=1-0", from + "e4/c5/search/result=1-0"},
           {"players/ca/Carlsen,_Magnus/tree/d4,Nf6", "players/ca/Carlsen,_Magnus/tree/d4/Nf6"}}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(names(name), names(step_by_step));
    EXPECT_EQ(text(name + "/index.tsv"), text(step_by_step + "/index.tsv"));
    EXPECT_EQ(find(name + "/..")->attributes.inode, inode(name.substr(0, name.rfind('/'))));
    if (name.find("search") != std::string::npos) continue;
    for (const char* const file :
         {"moves.tsv", "board.txt", "board.svg", "board-black.svg", "explorer.json"}) {
      EXPECT_EQ(text(name + '/' + file), text(step_by_step + '/' + file)) << file;
    }
  }
  EXPECT_THAT(text("tree/e4,c5/summary.txt"), StartsWith("tree/e4,c5\n"));
  EXPECT_EQ(text("tree/e4,c5/e4,c5.pgn"), text("tree/e4/c5/games.pgn"));
  for (const char* const name :
       {"tree/,", "tree/e4,", "tree/,e4", "tree/e4,,e5", "tree/e4,e4", "tree/e4,e5,Ke3",
        "tree/e4, e5", "tree/e4,e5.pgn", "tree/e4,nothing", "positions/e4,e5"}) {
    EXPECT_EQ(code_of(name), absl::StatusCode::kNotFound) << name;
  }
}

// However the moves are written.
TEST_F(LineDirectoriesTest, OfOnePositionHaveOneAnswer) {
  const auto made = [this] { return library_->searches().results.counters().made; };
  const std::string moves = text("tree/e4/c5/Nf3/moves.tsv");
  const std::string explorer = text("tree/e4/c5/Nf3/explorer.json");
  const std::uint64_t before = made();
  for (const char* const path : {"tree/e4,c5,Nf3", "tree/g1f3,c7c5,e2e4", "tree/Nf3,c5/e4"}) {
    EXPECT_EQ(text(std::string(path) + "/moves.tsv"), moves) << path;
    EXPECT_EQ(text(std::string(path) + "/explorer.json"), explorer) << path;
  }
  EXPECT_EQ(made(), before);
  // The same from the tree, which a listing has counted.
  open(tests::test_data("sample/sample.si4"));
  EXPECT_THAT(names("tree/e4,c5"), Contains("Nf3"));
  EXPECT_EQ(text("tree/e4/c5/Nf3/moves.tsv"), moves);
  EXPECT_EQ(text("tree/e4/c5/Nf3/explorer.json"), explorer);
}

TEST_F(LineDirectoriesTest, HaveFilesThatTheyDoNotList) {
  const std::string sicilian = std::string("positions/") + kSicilian;
  for (const std::string& path :
       {std::string("tree"), std::string("tree/e4,c5"), sicilian, "eco/B/" + sicilian}) {
    SCOPED_TRACE(path);
    for (const char* const file : {"board.svg", "board-black.svg", "explorer.json"}) {
      EXPECT_THAT(names(path), Not(Contains(file)));
      EXPECT_FALSE(text(path + '/' + file).empty()) << file;
    }
    EXPECT_TRUE(exists(path + "/index.html"));
  }
  // Files that pages load are no positions.
  EXPECT_TRUE(exists("positions/style.css"));
  EXPECT_THAT(text("status.txt"), Not(HasSubstr("style.css")));
  EXPECT_EQ(text("tree/e4/c5/board.svg"), text(sicilian + "/board.svg"));
  EXPECT_NE(text("tree/board.svg"), text("tree/board-black.svg"));
  for (const char* const file : {"board.svg", "board-black.svg", "explorer.json"}) {
    EXPECT_FALSE(exists(file)) << "no position, no " << file;
    EXPECT_FALSE(exists(std::string("years/2018/") + file));
    EXPECT_FALSE(exists(std::string("search/eco=B/") + file));
  }
}

TEST_F(LineDirectoriesTest, ListTheirFilesAndPlayedMoves) {
  const std::vector<std::string> listed = names("tree");
  ASSERT_GT(listed.size(), 4U);
  EXPECT_THAT((std::vector<std::string>(listed.begin(), listed.begin() + 3)),
              ElementsAre("moves.txt", "moves.tsv", "board.txt"));
  EXPECT_THAT(listed, Contains("e4"));
  EXPECT_THAT(names("tree/e4"), AllOf(Contains("c5"), Contains("e5")));
  EXPECT_THAT(text("tree/e4/board.txt"),
              HasSubstr("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b"));
}

// Even with little memory for cached results.
TEST_F(LineDirectoriesTest, ListingCountsGamesOnce) {
  const std::vector<std::string> listed = names("tree");
  options_.answer_bytes = 0;
  open(tests::test_data("sample/sample.si4"));
  const auto made = [this] { return library_->searches().results.counters().made; };
  const Inode tree = inode("tree");
  const std::uint64_t before = made();
  std::vector<std::string> again;
  std::uint64_t next = 0;
  const auto list = [&](const WorkBudget& budget) {
    return tree_->list(tree, next, budget, [&](const DirectoryEntry& entry) {
      again.emplace_back(entry.name);
      next = entry.next;
      return true;
    });
  };
  EXPECT_TRUE(absl::IsUnavailable(list(WorkBudget::limited(100))));
  EXPECT_TRUE(absl::IsCancelled(list(WorkBudget::unlimited([] { return true; }))));
  EXPECT_THAT(again, IsEmpty());
  EXPECT_EQ(made(), before);
  EXPECT_TRUE(list(tests::unlimited_budget()).ok());
  EXPECT_EQ(again, listed);
  EXPECT_EQ(made(), before + 1);
  // The kernel reads until it gets an empty reply.
  EXPECT_TRUE(list(WorkBudget::limited(0)).ok());
  EXPECT_EQ(again, listed);
  EXPECT_EQ(made(), before + 1);
}

TEST_F(LineDirectoriesTest, AreEmptyWithoutGames) {
  const std::string path = "positions/8-8-8-3k4-8-3K4-3P4-8_b/";
  EXPECT_EQ(text(path + "games.pgn"), "");
  EXPECT_EQ(std::ranges::count(text(path + "moves.tsv"), '\n'), 1);
  EXPECT_EQ(std::ranges::count(text(path + "index.tsv"), '\n'), 1);
  EXPECT_TRUE(exists(path + "Ke5"));
  EXPECT_THAT(names(path), ElementsAre("moves.txt", "moves.tsv", "board.txt"));
  EXPECT_TRUE(exists("tree/h4/h5/a3"));
}

TEST_F(LineDirectoriesTest, RefuseInvalidPositions) {
  EXPECT_EQ(code_of("positions/nonsense"), absl::StatusCode::kNotFound);
  EXPECT_EQ(code_of("positions/8-8-8-8-8-8-8-8_w"), absl::StatusCode::kNotFound);
  EXPECT_EQ(code_of("positions/.git"), absl::StatusCode::kNotFound);
  const std::string status = text("status.txt");
  EXPECT_THAT(status, HasSubstr("no position: nonsense: a FEN has two fields"));
  EXPECT_THAT(status, HasSubstr("no position: 8-8-8-8-8-8-8-8_w: "));
  EXPECT_THAT(status, Not(HasSubstr(".git")));
}

TEST_F(LineDirectoriesTest, StatusSaysWhyANameIsNoMove) {
  for (const char* const path :
       {"tree/e4/Ke3", "tree/hello", "tree/d4/d5/Nd2,Nf6/Ngf3/e6/Nb3/Be7/Nd2", "tree/e4,e5,Ke7",
        "tree/e4,", "tree/.git", "tree/e4/HEAD.lock"}) {
    EXPECT_EQ(code_of(path), absl::StatusCode::kNotFound) << path;
  }
  EXPECT_TRUE(exists("tree/e4/search") && exists("tree/e4/summary.txt"));
  std::string moves;
  std::istringstream status(text("status.txt"));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("no move: ")) moves += line + '\n';
  }
  EXPECT_EQ(moves,
            "no move: Ke3: ply 2: not legal here\n"
            "no move: hello: ply 1: not the name of a move such as Nf3, exd5, e8=Q, O-O\n"
            "no move: Nd2: ply 9: ambiguous: Nbd2 or Nfd2\n"
            "no move: e4,e5,Ke7: ply 3, `Ke7`: not legal here\n"
            "no move: e4,: ply 2, ``: a move is missing before or after a comma\n");
}

TEST_F(LineDirectoriesTest, HaveParents) {
  for (const std::string& path : std::vector<std::string>{
           "tree", "tree/e4/c5", "tree/e4/search/eco=B", "players/ca/Carlsen,_Magnus/tree/e4",
           "search/eco=B/positions", "positions/" + std::string(kSicilian),
           "positions/" + std::string(kSicilian) + "/Nf3", "tree/e4,c5/Nf3,d6"}) {
    SCOPED_TRACE(path);
    const std::string above =
        path.find('/') == std::string::npos ? "" : path.substr(0, path.rfind('/'));
    EXPECT_EQ(find(path + "/..")->attributes.inode, inode(above));
  }
}

}  // namespace
}  // namespace scidfs::fs
