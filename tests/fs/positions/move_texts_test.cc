#include "fs/positions/move_texts.h"

#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "codec/san.h"
#include "fs/base/text_table.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Position;
using codec::Result;
using Game = MoveTally::Game;

constexpr std::string_view kHead =
    "san\tuci\tgames\twhite_wins\tdraws\tblack_wins\tunknown\tscore\taverage_elo\tlast_year\t"
    "first_year\n";

Position position_of(std::string_view fen) {
  const auto position = Position::from_fen(fen);
  EXPECT_TRUE(position.ok()) << position.status();
  return position.value_or(Position());
}

class MoveTextsTest : public ::testing::Test {
 protected:
  // An empty `san`: the game ends.
  void add(std::string_view san, const Game& game, int times = 1) {
    std::optional<codec::Move> move;
    if (!san.empty()) {
      move = codec::parse_san(position_, san);
      ASSERT_TRUE(move.has_value()) << san;
    }
    for (int i = 0; i < times; ++i) tally_.add(game, move, position_.side_to_move());
  }
  MoveTable table() const { return MoveTally(tally_).table(position_); }
  std::string text(std::string_view title = "a title") const {
    return moves_text(position_, title, table());
  }

  Position position_;
  MoveTally tally_;
};

TEST_F(MoveTextsTest, ReportsThatThereAreNoGames) {
  EXPECT_EQ(text("after 1.e4 c5"), "after 1.e4 c5\nno games\n");
  EXPECT_EQ(moves_tsv(position_, table()), kHead);
}

TEST_F(MoveTextsTest, ShowsPlayedMoves) {
  const unsigned b20 = 1 + 131 * 120;
  add("e4", {.result = Result::WhiteWins, .elo = {2400, 2500}, .year = 2001}, 3);
  add("e4", {.result = Result::BlackWins, .elo = {2400, 2500}, .year = 1999});
  add("d4", {.result = Result::Draw, .elo = {2500, 2300}, .year = 1990}, 2);
  add("Nf3", {.eco = b20});
  add("", {.result = Result::BlackWins, .elo = {0, 2000}});
  EXPECT_EQ(text(),
            "a title\n"
            "8 games\n"
            "White to move; score, rating and performance are White's\n"
            "\n"
            "Moves    games   share          score  rating  performance  last\n"
            "  e4         4   50.0%  ██████  75.0%    2400         2691  2001\n"
            "  d4         2   25.0%  ███     50.0%    2500         2300  1990\n"
            "  Nf3        1   12.5%  █▌\n"
            "  total      8  100.0%          57.1%    2433         2421  2001\n"
            "\n"
            "1 game ends here\n");
  EXPECT_EQ(moves_tsv(position_, table()), std::string(kHead) +
                                               "e4\te2e4\t4\t3\t0\t1\t0\t75.0\t2400\t2001\t1999\n"
                                               "d4\td2d4\t2\t0\t2\t0\t0\t50.0\t2500\t1990\t1990\n"
                                               "Nf3\tg1f3\t1\t0\t0\t0\t1\t\t\t\t\n");
}

TEST_F(MoveTextsTest, ShowsNamesOfOpenings) {
  const OpeningNames names("A00 \"Start\" *\nB00 \"King's Pawn\" 1.e4 *\n");
  const NamedPosition named{.names = &names, .opening = "Start"};
  add("d4", {.eco = 1}, 2);
  EXPECT_EQ(moves_text(position_, "a title", table(), named),
            text().insert(text().find('\n') + 1, "Start\n"))
      << "no move leads to a name";
  add("e4", {.eco = 1});
  EXPECT_EQ(
      moves_text(position_, "a title", table(), named),
      text().insert(text().find('\n') + 1, "Start\n") + "\nOpenings\n  e4      King's Pawn\n");
  EXPECT_EQ(board_text(position_, table(), named),
            board_text(position_, table()) + "Opening Start\n");
  EXPECT_EQ(board_text(position_, MoveTable(), {.names = &names}),
            board_text(position_, MoveTable()));
}

TEST_F(MoveTextsTest, PerformanceBelongsToSideToMove) {
  position_ = position_of("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  add("c5", {.result = Result::BlackWins, .elo = {2000, 2200}, .year = 2020}, 9);
  add("c5", {.result = Result::WhiteWins, .elo = {2000, 2200}, .year = 2020});
  add("e5", {.result = Result::WhiteWins, .elo = {2000, 0}}, 2);
  add("e6", {.result = Result::BlackWins, .elo = {2000, 0}}, 1);
  add("", {}, 2);
  EXPECT_EQ(text("A very long title indeed, which says of which games all of this is, and why, too"
                 " long"),
            "A very long title indeed, which says of which games all of this is, and why, to…\n"
            "15 games\n"
            "Black to move; score is White's, rating and performance are Black's\n"
            "\n"
            "Moves    games   share             score  rating  performance  last\n"
            "  c5        10   66.7%  ████████   10.0%    2200         2382  2020\n"
            "  e5         2   13.3%  █▋        100.0%                 1200\n"
            "  e6         1    6.7%  ▊           0.0%                 2800\n"
            "  total     15  100.0%             23.1%    2200         2209  2020\n"
            "\n"
            "2 games end here\n");
}

TEST_F(MoveTextsTest, LinesHaveBoundedLength) {
  position_ = position_of("1r2k3/P1P5/8/8/8/8/8/R3K2R w KQ - 0 1");
  for (const char* const san : {"axb8=Q", "cxb8=N", "O-O-O", "O-O", "--"}) {
    add(san, {.result = Result::WhiteWins, .elo = {4095, 4095}, .year = 2047});
  }
  for (int i = 0; i < 28; ++i) tally_ += MoveTally(tally_);
  std::istringstream lines(text());
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(display_width(line), 80U) << line;
  }
  EXPECT_NE(text().find("268,435,456   20.0%"), std::string::npos) << text();
}

TEST_F(MoveTextsTest, TsvNamesMovesInSanAndUci) {
  position_ = position_of("1r2k3/P1P5/8/8/8/8/8/R3K2R w KQ - 0 1");
  for (const char* const san : {"axb8=Q", "a8=R", "cxb8=B", "c8=N", "O-O-O", "O-O", "--", "Kf1"}) {
    add(san, {});
  }
  const std::string nothing = "\t1\t0\t0\t0\t1\t\t\t\t\n";
  EXPECT_EQ(moves_tsv(position_, table()),
            std::string(kHead) + "--\t0000" + nothing + "Kf1\te1f1" + nothing + "O-O\te1g1" +
                nothing + "O-O-O\te1c1" + nothing + "a8=R\ta7a8r" + nothing + "axb8=Q\ta7b8q" +
                nothing + "c8=N\tc7c8n" + nothing + "cxb8=B\tc7b8b" + nothing);
  // Either name leads to the move.
  for (const auto& [san, squares] : std::map<std::string, std::string>{{"--", "0000"},
                                                                       {"Kf1", "e1f1"},
                                                                       {"O-O", "e1g1"},
                                                                       {"O-O-O", "e1c1"},
                                                                       {"a8=R", "a7a8r"}}) {
    EXPECT_EQ(codec::parse_san(position_, squares), codec::parse_san(position_, san)) << squares;
    EXPECT_TRUE(codec::parse_san(position_, squares).has_value()) << squares;
  }
}

TEST_F(MoveTextsTest, DrawsTheBoard) {
  position_ = position_of("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 7 12");
  const std::string board =
      "8  ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n"
      "7  ♟ ♟ · ♟ ♟ ♟ ♟ ♟\n"
      "6  · · · · · · · ·\n"
      "5  · · ♟ · · · · ·\n"
      "4  · · · · ♙ · · ·\n"
      "3  · · · · · ♘ · ·\n"
      "2  ♙ ♙ ♙ ♙ · ♙ ♙ ♙\n"
      "1  ♖ ♘ ♗ ♕ ♔ ♗ · ♖\n"
      "   a b c d e f g h\n"
      "\n"
      "Black to move\n"
      "FEN rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 1\n";
  EXPECT_EQ(board_text(position_, table()), board);
  const auto eco = [](unsigned base) { return static_cast<codec::EcoCode>(1 + 131 * base + 5); };
  add("", {.eco = eco(190)}, 2);
  EXPECT_EQ(board_text(position_, table()), board + "ECO B90\n");
  add("", {.eco = eco(127)});
  add("", {.eco = eco(199)});
  EXPECT_EQ(board_text(position_, table()), board + "ECO B27-B99, most often B90\n");
}

}  // namespace
}  // namespace scidfs::fs
