// plies.tsv and games.uci of sets, held against fens/, the PGN text and evals.tsv.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "codec/epd.h"
#include "codec/position.h"
#include "codec/san.h"
#include "codec/uci.h"
#include "tests/fs/library_fixture.h"
#include "tests/fs/pgn/pgn_fixture.h"
#include "tests/support/noted_games.h"
#include "tests/support/pgn_parse.h"
#include "tests/support/scid_files.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;

// The NAGs of the positions of a main line, as plies.tsv has them.
std::vector<std::string> nags_of(const tests::PgnGame& game) {
  std::vector<std::string> nags(1);
  int depth = 0;
  for (const tests::PgnToken& token : tests::parse_movetext(game.movetext)) {
    using Kind = tests::PgnToken::Kind;
    if (token.kind == Kind::Open) ++depth;
    if (token.kind == Kind::Close) --depth;
    if (depth != 0) continue;
    if (token.kind == Kind::Move) nags.emplace_back();
    if (token.kind == Kind::Nag) nags.back() += (nags.back().empty() ? "" : " ") + token.text;
  }
  return nags;
}

// The fields of a FEN that begin a line of EPD.
std::string fen_of(const std::string& line) { return line.substr(0, line.find(" id \"")); }

// The move of a line of EPD with its mark; empty at the end of a game.
std::string marked_move(const std::string& line) {
  if (line.find("; c2 \"null move\"") != std::string::npos) return "--";
  const std::size_t move = line.find("; sm ");
  if (move == std::string::npos) return "";
  return line.substr(move + 5, line.find(';', move + 5) - move - 5);
}

class PlyFilesTest : public LibraryTest {
 protected:
  using Key = std::pair<std::string, std::string>;  // number, ply

  // What both files of a set must have, from other files.
  void expect_plies(const std::string& database, const std::string& set) {
    SCOPED_TRACE(database + set);
    std::map<Key, std::string> evals;
    for (const auto& row : tests::rows_of(text(database + set + "evals.tsv"))) {
      evals[{row.at(0), row.at(1)}] = row.at(3) + "\t" + row.at(4);
    }
    std::string table = "number\tply\tsan\tuci\tfen\teval\tclock\tnag\n";
    std::string moves;
    for (const auto& row : tests::rows_of(text(database + set + "index.tsv"))) {
      const std::string& number = row.at(0);
      const std::string pgn = text(fmt::format("{}games/{}.pgn", database, number));
      const tests::PgnGame game = tests::parse_pgn(pgn).at(0);
      const std::vector<std::string> nags = nags_of(game);
      std::string san;
      std::string uci;
      const std::string start = tests::tag_value(game, "FEN");
      std::string line_of_game = start.empty() ? "" : fmt::format("fen {} moves", start);
      std::size_t ply = 0;
      for (const std::string& line :
           tests::split(text(fmt::format("{}fens/{}.epd", database, number)), '\n')) {
        const std::string fen = fen_of(line);
        const auto eval = evals.find({number, std::to_string(ply)});
        table += fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\n", number, ply, san, uci, fen,
                             eval == evals.end() ? "\t" : eval->second, nags.at(ply));
        san = marked_move(line);
        uci.clear();
        if (!san.empty()) {
          const auto position = codec::Position::from_fen(fen + " 0 1");
          ASSERT_TRUE(position.ok()) << fen;
          uci = codec::to_uci(codec::parse_san(*position, san).value());
          line_of_game += (line_of_game.empty() ? "" : " ") + uci;
        }
        ++ply;
      }
      moves += line_of_game + "\n";
    }
    EXPECT_EQ(text(database + set + "plies.tsv"), table);
    EXPECT_EQ(text(database + set + "games.uci"), moves);
  }
};

TEST_F(PlyFilesTest, AgreeWithGamesAndPositions) {
  put("x", tests::read_scid_files(tests::test_data("sample/sample")));
  open(source_);
  for (const std::string set :
       {"", "search/annotated=any/", "years/2018/", "tree/e4/c5/search/result=draw/", "parts/9/4/",
        "search/year=1..2/"}) {
    expect_plies("x.si4/", set);
  }
  EXPECT_THAT(text("x.si4/search/number=1/plies.csv"),
              HasSubstr("number,ply,san,uci,fen,eval,clock,nag\n1,0,,,"));
}

TEST_F(PlyFilesTest, HaveEvaluationsAndClocks) {
  tests::Random random(7);
  tests::ScidWriter games;
  for (int i = 0; i < 300; ++i) games.add(tests::noted_record(random, 40), "A", "B");
  put("x", games.files());
  open(source_);
  expect_plies("x.si4/", "");
}

// Games that begin elsewhere, of both castling rules, and null moves.
TEST_F(PlyFilesTest, BeginWhereGamesDo) {
  tests::ScidWriter games;
  games.add(tests::ScidEncoder("4k3/P7/8/8/8/8/8/R3K3 w Q - 3 9").moves("a8=Q Kd7 -- Ke6").record(),
            "A", "B");
  games.add(tests::ScidEncoder().record(), "A", "B");
  games.add(tests::ScidEncoder("4k3/8/8/8/8/8/8/R3K3 b - - 0 1").record(), "A", "B");
  games.add("", "A", "B");
  put("x", games.files());
  open(source_);
  EXPECT_EQ(text("x.si4/games.uci"),
            "fen 4k3/P7/8/8/8/8/8/R3K3 w Q - 3 9 moves a7a8q e8d7 0000 d7e6\n"
            "\n"
            "fen 4k3/8/8/8/8/8/8/R3K3 b - - 0 1 moves\n"
            "\n");
  EXPECT_THAT(text("x.si4/plies.tsv"),
              HasSubstr("\n1\t1\ta8=Q+\ta7a8q\tQ3k3/8/8/8/8/8/8/R3K3 b Q -\t\t\t\n"));
  EXPECT_THAT(text("x.si4/plies.tsv"), HasSubstr("\n1\t3\t--\t0000\t"));
}

TEST_F(PlyFilesTest, NameTheirDatabaseTogether) {
  put("x", example_database(300, 1).files());
  put("y", example_database(200, 2).files());
  open(source_);
  std::string expected;
  for (const std::string name : {"x.si4", "y.si4"}) {
    for (const std::string& line : tests::split(text(name + "/plies.tsv"), '\n')) {
      if (!line.starts_with("number")) expected += line + "\t" + name + "\n";
    }
  }
  EXPECT_EQ(text("together/plies.tsv"),
            "number\tply\tsan\tuci\tfen\teval\tclock\tnag\tdatabase\n" + expected);
  EXPECT_EQ(text("together/games.uci"), text("x.si4/games.uci") + text("y.si4/games.uci"));
}

using StandardStartTest = PgnLibraryTest;

TEST_F(StandardStartTest, ItsFenIsNoStartOfItsOwn) {
  constexpr const char* kGame =
      "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {} 1\"]"
      "\n\n1. e4 1-0\n\n";
  put("x.pgn", fmt::format(fmt::runtime(kGame), 0) + fmt::format(fmt::runtime(kGame), 5));
  open();
  EXPECT_EQ(text("x.pgn/games.uci"),
            "e2e4\nfen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 1 moves e2e4\n");
  EXPECT_THAT(text("x.pgn/games/1.pgn"), HasSubstr("[FEN \"rnbqkbnr/"));
  EXPECT_EQ(text("x.pgn/search/start=standard/games.uci"), "e2e4\n");
  EXPECT_EQ(text("x.pgn/search/start=fen/all.pgn"), text("x.pgn/games/2.pgn"));
}

using Chess960FilesTest = PgnLibraryTest;

// A king that castles on its square; and one that castles to a square to which it goes later.
TEST_F(Chess960FilesTest, KingTakesItsRookInAllFiles) {
  put("x.pgn",
      "[Variant \"Chess960\"]\n"
      "[FEN \"bbqnrnkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNRNKR w KQkq - 0 1\"]\n\n"
      "1. Ng3 Ng6 2. O-O O-O 3. d3 1-0\n\n"
      "[Variant \"Chess960\"]\n"
      "[FEN \"rkbqnbnr/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBNR w KQkq - 0 1\"]\n\n"
      "1. d4 d5 2. Bf4 Bf5 3. Qd2 Qd7 4. O-O-O Kc8 5. e3 e6 1-0\n\n"
      "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O 1-0\n");
  open();
  const std::string moves = text("x.pgn/games.uci");
  EXPECT_THAT(moves, HasSubstr(" w KQkq - 0 1 moves f1g3 f8g6 g1h1 g8h8 d2d3\n"));
  EXPECT_THAT(moves, HasSubstr(" moves d2d4 d7d5 c1f4 c8f5 d1d2 d8d7 b1a1 b8c8 e2e3 e7e6\n"));
  EXPECT_THAT(moves, HasSubstr("\ne2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8\n"));
  for (const char* const row : {"\n1\t3\tO-O\tg1h1\t", "\n2\t7\tO-O-O\tb1a1\t",
                                "\n2\t8\tKc8\tb8c8\t", "\n3\t7\tO-O\te1g1\t"}) {
    EXPECT_THAT(text("x.pgn/plies.tsv"), HasSubstr(row));
  }
  const std::string position =
      "x.pgn/positions/rk2nbnr-pppqpppp-8-3p1b2-3P1B2-8-PPPQPPPP-RK2NBNR_w_KQkq_-/";
  EXPECT_THAT(text(position + "moves.tsv"), HasSubstr("\nO-O-O\tb1a1\t1\t"));
  EXPECT_THAT(text(position + "explorer.json"), HasSubstr(R"("uci":"b1a1","san":"O-O-O")"));
  EXPECT_THAT(text(position + "explorer.json"), HasSubstr(R"("id":"2","uci":"b1a1")"));
  const auto expect_same = [&](const std::string& one, const std::string& other) {
    EXPECT_EQ(text(one + "/games.uci"), text(other + "/games.uci")) << one;
  };
  expect_same(position + "b1a1", position + "O-O-O");
  EXPECT_THAT(text(position + "b1a1/games.uci"), HasSubstr(" b1a1 b8c8 "));
  expect_same(position + "b1c1", position + "Kc1");
  expect_same("x.pgn/tree/e4,e5,Nf3,Nf6,Be2,Be7,e1h1", "x.pgn/tree/e4,e5,Nf3,Nf6,Be2,Be7,e1g1");
}

// Of bytes that are no games any more: neither file crashes, and each game has its line.
TEST_F(PlyFilesTest, SurviveDamage) {
  tests::Random random(3);
  for (int round = 0; round < 20; ++round) {
    tests::ScidWriter games;
    for (int i = 0; i < 20; ++i) {
      std::string record = tests::random_game(random).record();
      if (i % 2 == 0) tests::flip_bit(record, random);
      games.add(record, "A", "B");
    }
    put("x", games.files());
    open(source_);
    const std::string moves = text("x.si4/games.uci");
    EXPECT_EQ(std::ranges::count(moves, '\n'), 20);
    std::map<std::string, std::size_t> positions;
    for (const auto& row : tests::rows_of(text("x.si4/plies.tsv"))) ++positions[row.at(0)];
    for (int number = 1; number <= 20; ++number) {
      const std::string fens = text(fmt::format("x.si4/fens/{}.epd", number));
      EXPECT_EQ(positions[std::to_string(number)], std::ranges::count(fens, '\n')) << number;
    }
  }
}

}  // namespace
}  // namespace scidfs::fs
