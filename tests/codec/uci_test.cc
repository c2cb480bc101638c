#include "codec/uci.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "codec/movegen.h"
#include "codec/position.h"
#include "codec/san.h"
#include "tests/support/random_game.h"

namespace scidfs::codec {
namespace {

TEST(Uci, NamesMovesBySquares) {
  struct UciCase {
    const char* fen;
    const char* san;
    const char* uci;
  };
  const UciCase cases[] = {
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4", "e2e4"},
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Nf3", "g1f3"},
      {"4k3/8/8/8/7q/8/8/4K2R b K - 0 1", "Qxh1+", "h4h1"},
      {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "e5d6"},
      {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", "e1g1"},
      {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O", "e1c1"},
      {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O", "e8g8"},
      {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", "e8c8"},
      {"1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1", "a8=Q", "a7a8q"},
      {"1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1", "axb8=R", "a7b8r"},
      {"1n2k3/P7/8/8/8/8/p7/1N2K3 b - - 0 1", "a1=B", "a2a1b"},
      {"1n2k3/P7/8/8/8/8/p7/1N2K3 b - - 0 1", "axb1=N", "a2b1n"},
      {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--", "0000"},
  };
  for (const UciCase& test : cases) {
    const auto position = Position::from_fen(test.fen);
    ASSERT_TRUE(position.ok()) << test.fen;
    const auto move = parse_san(*position, test.san);
    ASSERT_TRUE(move.has_value()) << test.fen << ' ' << test.san;
    EXPECT_EQ(to_uci(*move), test.uci) << test.fen << ' ' << test.san;
  }
}

// The king takes its rook, for both sides, where any right is not that of chess.
TEST(Uci, CastlingOfChess960TakesTheRook) {
  for (const auto& [fen, castling] : std::map<std::string, std::set<std::string>>{
           {"4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", {"c1b1", "c1g1"}},
           {"rk3r2/8/8/8/8/8/8/4K3 b fa - 0 1", {"b8a8", "b8f8"}},
           {"1r2k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"e1h1", "e1a1"}},
           {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"e1g1", "e1c1"}}}) {
    const auto position = Position::from_fen(fen, CastlingRule::Chess960);
    ASSERT_TRUE(position.ok()) << fen;
    std::set<std::string> names;
    for (const Move& move : legal_moves(*position)) {
      if (move.kind != MoveKind::Castling) continue;
      names.insert(to_uci(*position, move));
      EXPECT_EQ(parse_san(*position, to_uci(*position, move)), move) << fen;
    }
    EXPECT_EQ(names, castling) << fen;
  }
}

// Squares of the king's move mean castling only where the king cannot make that move itself.
TEST(Uci, StepOfTheKingComesBeforeCastling) {
  const auto position =
      Position::from_fen("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", CastlingRule::Chess960);
  ASSERT_TRUE(position.ok());
  EXPECT_EQ(parse_san(*position, "b1c1"), parse_san(*position, "Kc1"));
  EXPECT_EQ(parse_san(*position, "b1a1"), parse_san(*position, "O-O-O"));
  EXPECT_EQ(parse_san(*position, "b1g1"), parse_san(*position, "O-O"));
  EXPECT_EQ(parse_san(*position, "b1h1"), parse_san(*position, "O-O"));
}

// Each legal move has a name of its own, which leads back to it.
TEST(Uci, LeadsBackToTheMove) {
  tests::Random random(1);
  for (std::string fen : tests::example_fens()) {
    for (int i = 0; i < 20; ++i) {
      const auto position = Position::from_fen(fen);
      ASSERT_TRUE(position.ok()) << fen;
      std::set<std::string> names;
      for (const Move& move : legal_moves(*position)) {
        const std::string name = to_uci(*position, move);
        EXPECT_TRUE(names.insert(name).second) << fen << ' ' << name;
        EXPECT_EQ(parse_san(*position, name), move) << fen << ' ' << name;
      }
      if (names.empty()) break;
      Position after = *position;
      after.make(tests::random_move(after, random));
      fen = after.fen();
    }
  }
}

}  // namespace
}  // namespace scidfs::codec
