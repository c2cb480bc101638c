// Counts of move sequences that all move generators agree on.
#include <gtest/gtest.h>

#include "codec/movegen.h"

namespace scidfs::codec {
namespace {

struct Count {
  const char* name;
  const char* fen;
  int depth;
  std::uint64_t leaves;
};

void PrintTo(const Count& count, std::ostream* out) { *out << count.fen; }

class Perft : public ::testing::TestWithParam<Count> {};

TEST_P(Perft, CountsEqualPublishedNumbers) {
  const auto position = Position::from_fen(GetParam().fen);
  ASSERT_TRUE(position.ok()) << position.status();
  EXPECT_EQ(perft(*position, GetParam().depth), GetParam().leaves);
}

INSTANTIATE_TEST_SUITE_P(
    Positions, Perft,
    ::testing::Values(
        Count{"Start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4865609},
        Count{"Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4,
              4085603},
        Count{"Endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624},
        Count{"Promotions", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4,
              422333},
        Count{"Mirrored", "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 4,
              422333},
        Count{"Castling", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2103487},
        Count{"Middlegame",
              "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4,
              3894594}),
    [](const auto& test) { return test.param.name; });

class Chess960Perft : public ::testing::TestWithParam<Count> {};

TEST_P(Chess960Perft, CountsEqualPublishedNumbers) {
  const auto position = Position::from_fen(GetParam().fen, CastlingRule::Chess960);
  ASSERT_TRUE(position.ok()) << position.status();
  EXPECT_EQ(perft(*position, GetParam().depth), GetParam().leaves);
}

INSTANTIATE_TEST_SUITE_P(
    Positions, Chess960Perft,
    ::testing::Values(
        Count{"One", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", 4,
              326672},
        Count{"Two", "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", 4, 667366},
        Count{"Three", "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE - 1 9", 4, 273318},
        Count{"Standard", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1", 4,
              4085603}),
    [](const auto& test) { return test.param.name; });

TEST(Perft, DepthZeroHasOneLeaf) { EXPECT_EQ(perft(Position(), 0), 1u); }

// The capture en passant would open the rank for a rook on it.
TEST(Perft, EnPassantThatExposesTheKingIsIllegal) {
  const auto position = Position::from_fen("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1");
  ASSERT_TRUE(position.ok());
  for (const Move& move : legal_moves(*position)) EXPECT_NE(move.kind, MoveKind::EnPassant);
}

}  // namespace
}  // namespace scidfs::codec
