// repertoire/NAME/white/ and within=, against the other files of the mount: moves.tsv, index.tsv.
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
#include "tests/support/packed.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

using Row = std::vector<std::string>;
using Rows = std::vector<Row>;

// A game of a PGN file.
std::string pgn_game(std::string_view moves, std::string_view result = "*",
                     std::string_view white = "A", std::string_view fen = "") {
  const std::string start = fen.empty() ? "" : fmt::format("[SetUp \"1\"]\n[FEN \"{}\"]\n", fen);
  return fmt::format(
      "[Event \"?\"]\n[Site \"?\"]\n[Date \"2001.??.??\"]\n[Round \"?\"]\n[White \"{}\"]\n"
      "[Black \"Z\"]\n[Result \"{}\"]\n{}\n{} {}\n\n",
      white, result, start, moves, result);
}

class RepertoireTest : public LibraryTest {
 protected:
  // PGN files need one.
  RepertoireTest() { options_.database.cache_folder = folder_ / "cache"; }

  Rows rows(std::string_view path) const { return tests::rows_of(text(path)); }

  // Games of A with either side, and lines for them.
  void database_with_players() {
    put(source_ / "my.pgn", pgn_game("1. e4 e5 2. Nf3 Nc6 (2... d6) 3. Bb5"));
    put(source_ / "games.pgn",
        pgn_game("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6") + pgn_game("1. e4 e5 2. Nf3", "*", "B") +
            pgn_game("1. e4 e5 2. Nf3 d6") + pgn_game("1. e4 c5") + pgn_game("1. d4", "*", "B"));
  }

  // Columns of the rows of a table, with blanks between.
  std::vector<std::string> columns(std::string_view path, std::vector<std::size_t> wanted) const {
    std::vector<std::string> lines;
    for (const Row& row : rows(path)) {
      std::string line;
      for (const std::size_t column : wanted) {
        line += (line.empty() ? "" : " ") + (row.at(column).empty() ? "-" : row.at(column));
      }
      lines.push_back(line);
    }
    return lines;
  }
};

// What the lines of White are: each case has a repertoire, and the games with what left.tsv says of
// each: ply, who left, the move, and the moves that stand there.
TEST_F(RepertoireTest, LeavesLinesAtTheLastPositionInThem) {
  struct Case {
    std::string about;
    std::string repertoire;
    std::vector<std::string> games;
    std::vector<std::string> left;
  };
  const std::string pawn = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
  const std::vector<Case> cases = {
      {"each side, and the end",
       pgn_game("1. e4 e5 2. Nf3"),
       {pgn_game("1. d4 d5"), pgn_game("1. e4 c5"), pgn_game("1. e4 e5 2. Nf3 Nc6"),
        pgn_game("1. e4 e5"), pgn_game("")},
       {"0 me d4 e4", "1 opponent c5 e5", "3 end Nc6 -", "2 end - Nf3", "0 end - e4"}},
      {"variations of variations",
       pgn_game("1. e4 e5 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 Nc6"),
       {pgn_game("1. e4 c5 2. c3 Nf6"), pgn_game("1. e4 c5 2. Nf3 d6 3. d4")},
       {"3 opponent Nf6 d5", "4 end d4 -"}},
      {"transpositions, also out of the lines and back",
       pgn_game("1. d4 d5 2. c4 e6 3. Nc3"),
       {pgn_game("1. c4 e6 2. Nc3 d5 3. d4 Nf6"), pgn_game("1. c4 e6 2. d4 d5 3. Nf3")},
       {"5 end Nf6 -", "4 me Nf3 Nc3"}},
      {"several games, one with a FEN",
       pgn_game("1. e4 e5") + pgn_game("1. e4 c5") + pgn_game("1. Kd2 Kd4", "*", "A", pawn),
       {pgn_game("1. e4 c5 2. Nf3"), pgn_game("1. e4 e6"),
        pgn_game("1. Kd2 Ke4 2. Kc3", "*", "A", pawn)},
       {"2 end Nf3 -", "1 opponent e6 e5,c5", "1 opponent Ke4 Kd4"}},
      {"moves that are not mine",
       pgn_game("1. e4 $2 e5 (1... c5 2. Nf3) (1... e6 $4 2. d4) 2. Nf3 (2. f4 $6 exf4) "
                "*") +
           pgn_game("1. Nf3 c5 2. e4 d6"),
       {pgn_game("1. e4 e5"), pgn_game("1. e4 c5 2. Nf3 d6"), pgn_game("1. Nf3 c5 2. e4 e6")},
       {"0 me e4 Nf3", "4 end - -", "3 opponent e6 d6"}},
      {"glyphs of the other side change nothing",
       pgn_game("1. e4 e5 $2 2. Nf3 $1"),
       {pgn_game("1. e4 e5 2. Nf3"), pgn_game("1. e4 e5 2. Bc4")},
       {"3 end - -", "2 me Bc4 Nf3"}},
      {"a null move ends its line",
       pgn_game("1. e4 e5 (1... -- 2. d4 d5) 2. Nf3"),
       {pgn_game("1. e4 d5"), pgn_game("1. d4")},
       {"1 opponent d5 e5", "0 me d4 e4"}},
      {"games that never come to the lines",
       pgn_game("1. Kd2", "*", "A", pawn),
       {pgn_game("1. e4")},
       {"- - - -"}},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.about);
    put(source_ / "my.pgn", one.repertoire);
    std::string games;
    for (const std::string& game : one.games) games += game;
    put(source_ / "games.pgn", games);
    open(source_);
    EXPECT_EQ(columns("games.pgn/repertoire/my.pgn/white/left.tsv", {1, 2, 3, 4}), one.left);
  }
}

TEST_F(RepertoireTest, FindsGapsChoicesAndWhatIsUnused) {
  put(source_ / "my.pgn",
      pgn_game("1. e4 e5 (1... c5) (1... e6 2. d4 d5 3. Nc3 Bb4) 2. Nf3 (2. Nc3 "
               "Nf6 3. Bc4) 2... Nc6 3. Bb5 (3. d4) *"));
  put(source_ / "games.pgn",
      pgn_game("1. e4 c5", "1-0") + pgn_game("1. e4 c5 2. Nf3", "0-1") +
          pgn_game("1. e4 d5", "1/2-1/2") + pgn_game("1. e4 e5 2. Nf3 Nc6 3. Bb5", "1-0") +
          pgn_game("1. e4 e5 2. Nf3 Nf6", "0-1") + pgn_game("1. Nf3 e5 2. e4 Nc6 3. Bc4") +
          pgn_game("1. Nc3 e5 2. e4"));
  open(source_);
  const std::string side = "games.pgn/repertoire/my.pgn/white/";
  EXPECT_EQ(names(side), (std::vector<std::string>{"left.tsv", "gaps.tsv", "choices.tsv",
                                                   "unused.tsv", "summary.txt"}));
  EXPECT_EQ(names("games.pgn/repertoire/my.pgn"), (std::vector<std::string>{"white", "black"}));
  EXPECT_THAT(names("games.pgn"), Not(Contains("repertoire")));
  // By transposition the last game but one is in the lines after Nc6; c5 has no reply.
  EXPECT_EQ(columns(side + "gaps.tsv", {0, 1, 2, 5}),
            (std::vector<std::string>{"c5 2 50.0 e4", "d5 1 50.0 e4", "Nf6 1 0.0 e4 e5 Nf3"}));
  EXPECT_EQ(columns(side + "choices.tsv", {0, 1, 3}),
            (std::vector<std::string>{"Nf3 2 e4 e5", "Nc3 0 e4 e5", "Bb5 1 e4 e5 Nf3 Nc6",
                                      "d4 0 e4 e5 Nf3 Nc6"}));
  EXPECT_EQ(columns(side + "unused.tsv", {0, 1}),
            (std::vector<std::string>{"4 e4 e6", "1 e4 e5 Nc3 Nf6", "0 e4 e5 Nf3 Nc6 d4"}));
  EXPECT_THAT(text(side + "gaps.csv"), HasSubstr("move,games,score"));
  EXPECT_THAT(text(side + "summary.txt"), HasSubstr("opponent"));
}

TEST_F(RepertoireTest, AddsUpOverRandomRepertoires) {
  const std::string fen = "4k3/3pp3/8/8/8/8/3PP3/4K3 w - - 0 1";
  const auto database = [&](std::uint64_t seed, std::size_t games) {
    tests::Random random(seed);
    tests::ScidWriter writer;
    for (std::size_t game = 0; game < games; ++game) {
      writer.add(
          tests::random_game(
              random, {.plies = 1 + random.below(8), .fen = random.one_in(5) ? std::string() : fen})
              .record(),
          "White " + std::to_string(random.below(3)), "Black " + std::to_string(random.below(3)));
    }
    return writer;
  };
  put("games", database(1, 900).files());
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    put(fmt::format("my{}", seed), database(seed, 40 * seed).files());
  }
  open(source_);
  std::size_t gaps = 0, uses = 0;
  for (std::uint64_t seed = 2; seed < 6; ++seed) {
    for (const std::string side : {"white", "black"}) {
      for (const std::string set : {"games.si4/", "games.si4/players/White_1/", "together/"}) {
        const std::string lines = fmt::format("{}repertoire/my{}.si4/{}/", set, seed, side);
        SCOPED_TRACE(lines);
        const bool is_of_player = set.find("players") != std::string::npos;
        const Rows left = rows(lines + "left.tsv");
        // Each game is left once.
        EXPECT_EQ(left.size(),
                  is_of_player && side == "black" ? 0U : rows(set + "index.tsv").size());
        // Gaps and choices have the numbers of moves.tsv.
        const auto expect_equal = [&](const Row& row, const std::string& path, bool is_gap) {
          const Rows played = rows(set + path + "/moves.tsv");
          const auto same = std::ranges::find(played, row.at(0), [](const Row& r) { return r[0]; });
          if (same == played.end()) {
            EXPECT_FALSE(is_gap);
            EXPECT_EQ(row.at(1), "0");
            return;
          }
          EXPECT_EQ(row.at(1), same->at(2));
          if (!is_gap) return;
          EXPECT_EQ(row.at(3), same->at(8));
          EXPECT_EQ(row.at(4), same->at(9));
        };
        for (const Row& row : rows(lines + "gaps.tsv")) {
          if (!is_of_player || side == "white") expect_equal(row, row.at(6), true);
          ++gaps;
        }
        if (is_of_player) continue;
        for (const Row& row : rows(lines + "choices.tsv")) expect_equal(row, row.at(4), false);
        // Positions are met, or unused, or below one that is.
        std::size_t unused = 0;
        for (const Row& row : rows(lines + "unused.tsv")) unused += 1 + std::stoul(row.at(0));
        const std::string summary = text(lines + "summary.txt");
        std::size_t all = 0, met = 0;
        const std::string counts = tests::split(summary, '\n').at(1);
        ASSERT_EQ(
            std::sscanf(counts.c_str(), "%zu position%*[s] of the lines of %*s %zu", &all, &met), 2)
            << counts;
        EXPECT_EQ(unused + met, all);
        uses += met;
      }
    }
  }
  EXPECT_GT(gaps, 100U);
  EXPECT_GT(uses, 100U);
}

TEST_F(RepertoireTest, SearchesGamesWithinLines) {
  database_with_players();
  open(source_);
  const std::string set = "games.pgn/";
  for (const std::string side : {"white", "black"}) {
    for (const unsigned to : {0U, 1U, 3U, 4U}) {
      std::vector<std::string> expected;
      for (const Row& row : rows(set + "repertoire/my.pgn/" + side + "/left.tsv")) {
        if (row.at(2) == "end" && std::stoul(row.at(1)) >= to) expected.push_back(row.at(0));
      }
      const std::string search = fmt::format("{}search/within=my.pgn,{},to={}/", set, side, to);
      EXPECT_EQ(columns(search + "index.tsv", {0}), expected) << search;
      const std::size_t others =
          rows(fmt::format("{}search/not-within=my.pgn,{},to={}/index.tsv", set, side, to)).size();
      EXPECT_EQ(expected.size() + others, rows(set + "index.tsv").size());
    }
    EXPECT_EQ(text(fmt::format("{}search/within=my.pgn,{}/index.tsv", set, side)),
              text(fmt::format("{}search/within=my.pgn,{},to=4/index.tsv", set, side)));
  }
  // A player has the side of each game.
  EXPECT_THAT(columns(set + "players/A/search/within=my.pgn,to=2/index.tsv", {0}),
              ElementsAre("1", "3"));
  EXPECT_FALSE(exists(set + "search/within=my.pgn"));
  EXPECT_THAT(text("status.txt"), HasSubstr("only the games of a player have a side"));
  EXPECT_FALSE(exists(set + "search/within=your.pgn,white"));
}

TEST_F(RepertoireTest, PreparesForAnOpponent) {
  database_with_players();
  options_.database.me = "A";
  open(source_);
  const std::string side = "games.pgn/players/Z/prepare/my.pgn/white/";
  EXPECT_EQ(columns(side + "prepare.tsv", {0, 2, 4, 6}),
            (std::vector<std::string>{"5 3 5 -", "4 3 4 e4", "3 2 3 e4 e5", "3 2 3 e4 e5 Nf3",
                                      "1 1 1 e4 e5 Nf3 Nc6", "1 1 1 e4 e5 Nf3 d6",
                                      "1 1 1 e4 e5 Nf3 Nc6 Bb5"}));
  EXPECT_THAT(text(side + "prepare.txt"), HasSubstr("5 games in 7 positions"));
  EXPECT_FALSE(exists("games.pgn/prepare")) << "only a player has opponents' lines";
  EXPECT_TRUE(rows("games.pgn/players/A/prepare/my.pgn/white/prepare.tsv").empty());
  const std::string page = text(side + "index.html");
  EXPECT_THAT(page, HasSubstr("../../../positions/"));
  EXPECT_THAT(text("games.pgn/repertoire/my.pgn/black/index.html"), HasSubstr("board-black.svg"));
}

TEST_F(RepertoireTest, FindsRepertoiresByPathAndFollowsTheirChanges) {
  std::filesystem::create_directory(source_ / "a");
  put(source_ / "a" / "my.pgn", pgn_game("1. e4 e5"));
  put(source_ / "games.pgn", pgn_game("1. e4 c5"));
  put(source_ / "a" / "other.pgn", pgn_game("1. e4"));
  open(source_);
  const std::string left = "repertoire/a%2Fmy.pgn/white/left.tsv";
  EXPECT_EQ(columns("a/other.pgn/repertoire/my.pgn/white/left.tsv", {1, 2}),
            (std::vector<std::string>{"1 end"}));
  EXPECT_FALSE(exists("games.pgn/repertoire/my.pgn"));
  EXPECT_EQ(columns("games.pgn/" + left, {1, 2}), (std::vector<std::string>{"1 opponent"}));
  EXPECT_EQ(columns("together/" + left, {1, 2}).size(), 3U);
  const Inode before = inode("games.pgn/" + left);
  const Inode together = inode("together/" + left);
  const Inode other = inode("a/other.pgn/index.tsv");
  const std::string old = text("games.pgn/" + left);

  put(source_ / "games2.pgn", pgn_game("1. e4 c5"));
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(inode("games.pgn/" + left), before) << "another file has changed";

  put(source_ / "a" / "my.pgn", pgn_game("1. e4 e5 (1... c5 2. Nf3)"));
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_NE(inode("games.pgn/" + left), before);
  EXPECT_NE(inode("together/" + left), together);
  EXPECT_NE(inode("a/other.pgn/index.tsv"), other) << "it was asked, too";
  EXPECT_EQ(columns("games.pgn/" + left, {1, 2}), (std::vector<std::string>{"2 end"}));
  const absl::StatusOr<std::string> kept = read(before);
  EXPECT_EQ(kept.value_or(old), old);
  // It is news that files have been read, and then nothing more.
  const Inode now = inode("games.pgn/" + left);
  library_->rescan();
  EXPECT_FALSE(library_->rescan().changed);
  EXPECT_EQ(inode("games.pgn/" + left), now);
}

TEST_F(RepertoireTest, SaysWhyItIsRefused) {
  const std::string whole = tests::packed(pgn_game("1. e4 e5"), ".gz");
  put(source_ / "my.pgn.gz", whole.substr(0, whole.size() / 2));
  put(source_ / "games.pgn", pgn_game("1. e4 c5"));
  open(source_);
  for (const char* const file :
       {"repertoire/my.pgn.gz/white/left.tsv", "players/A/prepare/my.pgn.gz/white/prepare.txt"}) {
    const absl::Status status = find(fmt::format("games.pgn/{}", file)).status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("my.pgn.gz: refused: "), HasSubstr("before byte")));
  }
}

TEST_F(RepertoireTest, IsItselfADatabase) {
  tests::ScidWriter writer;
  for (const char* const moves : {"e4 e5 Nf3", "d4 d5", "e4 c5"}) {
    writer.add(record(moves), "A", "B");
  }
  put("x", writer.files());
  open(source_ / "x.si4");
  const Rows left = rows("repertoire/x.si4/white/left.tsv");
  EXPECT_EQ(left.size(), 3U);
  for (const Row& row : left) EXPECT_EQ(row.at(2), "end");
}

}  // namespace
}  // namespace scidfs::fs
