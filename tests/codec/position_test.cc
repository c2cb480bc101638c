#include "codec/position.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codec/movegen.h"
#include "tests/support/random_game.h"

namespace scidfs::codec {
namespace {

using tests::Random;

constexpr std::string_view kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

std::string round_trip(std::string_view fen) {
  const absl::StatusOr<Position> position = Position::from_fen(fen);
  return position.ok() ? position->fen() : std::string(position.status().message());
}

TEST(Fen, StartPosition) {
  EXPECT_EQ(Position().fen(), kStart);
  const auto parsed = Position::from_fen(kStart);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(*parsed, Position());
}

TEST(Fen, ComesBackAsItWas) {
  for (const std::string& fen : tests::example_fens()) EXPECT_EQ(round_trip(fen), fen);
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const std::string fen = tests::random_fen(random);
    const std::string once = round_trip(fen);
    EXPECT_EQ(once.substr(0, once.find(' ')), fen.substr(0, fen.find(' ')));
    EXPECT_EQ(round_trip(once), once);
  }
}

TEST(Fen, MissingFieldsAreGuessed) {
  constexpr std::string_view kBoard = "r3k2r/8/8/8/8/8/8/R3K2R";
  EXPECT_EQ(round_trip(kBoard), std::string(kBoard) + " w KQkq - 0 1");
  EXPECT_EQ(round_trip(std::string(kBoard) + " b"), std::string(kBoard) + " b KQkq - 0 1");
  EXPECT_EQ(round_trip(std::string(kBoard) + " b Kq"), std::string(kBoard) + " b Kq - 0 1");
  EXPECT_EQ(round_trip(std::string(kBoard) + " w - -"), std::string(kBoard) + " w - - 0 1");
  EXPECT_EQ(round_trip(std::string(kBoard) + " w - - 7"), std::string(kBoard) + " w - - 7 1");
  // Only what is possible is guessed.
  EXPECT_EQ(round_trip("r3k3/8/8/8/8/8/8/4K2R w"), "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1");
  EXPECT_EQ(round_trip("r2k3r/8/8/8/8/8/8/R2K3R w"), "r2k3r/8/8/8/8/8/8/R2K3R w - - 0 1");
}

TEST(Fen, OddFields) {
  const std::string board = "4k3/8/8/8/8/8/8/4K2R";
  EXPECT_EQ(round_trip(board + " w KQkq - 0 1"), board + " w K - 0 1");
  EXPECT_EQ(round_trip(board + " w HAha - 0 1"), board + " w - - 0 1");
  EXPECT_EQ(round_trip(board + " w K - 0 0"), board + " w K - 0 1");
  EXPECT_EQ(round_trip(board + " w K - x y"), board + " w K - 0 1");
  EXPECT_EQ(round_trip(board + " w K - -5 99999999999999999999"), board + " w K - 0 1");
  EXPECT_EQ(round_trip(board + " w K - 12 2000"), board + " w K - 12 2000");
  EXPECT_EQ(round_trip("  " + board + "\t w  K -   0 1 and more"), board + " w K - 0 1");
  EXPECT_EQ(round_trip(board + " W K e6 0 1"), board + " w K e6 0 1");
  EXPECT_EQ(round_trip(board + " B K e3 0 1"), board + " b K e3 0 1");
}

TEST(Fen, RejectedWithAReason) {
  using ::testing::HasSubstr;
  const auto reason = [](std::string_view fen) {
    const absl::StatusOr<Position> position = Position::from_fen(fen);
    EXPECT_FALSE(position.ok()) << fen;
    EXPECT_EQ(position.status().code(), absl::StatusCode::kInvalidArgument);
    return std::string(position.status().message());
  };
  EXPECT_THAT(reason(""), HasSubstr("empty"));
  EXPECT_THAT(reason(" \t "), HasSubstr("empty"));
  EXPECT_THAT(reason("8/8/8/8/8/8/8/8 w - - 0 1"), HasSubstr("king is missing"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/8 w - - 0 1"), HasSubstr("king is missing"));
  EXPECT_THAT(reason("4k3/4k3/8/8/8/8/8/4K3 w - - 0 1"), HasSubstr("two kings"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/4K2X w - - 0 1"), HasSubstr("unknown letter"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/4K4 w - - 0 1"), HasSubstr("more than eight"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/4K2RR w - - 0 1"), HasSubstr("more than eight"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/7/4K3 w - - 0 1"), HasSubstr("eight squares"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/4K3 w - - 0 1"), HasSubstr("64 squares"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1"), HasSubstr("eight squares"));
  EXPECT_THAT(reason("4k3/9/8/8/8/8/8/4K3 w - - 0 1"), HasSubstr("unknown letter"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/4K3 x - - 0 1"), HasSubstr("side to move"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/4K3 w - e3 0 1"), HasSubstr("en passant"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/4K3 b - e6 0 1"), HasSubstr("en passant"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/4K3 w - i6 0 1"), HasSubstr("en passant"));
  EXPECT_THAT(reason("4k3/8/8/8/8/8/8/4K3 w - e66 0 1"), HasSubstr("en passant"));
  EXPECT_THAT(reason("4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 w - - 0 1"), HasSubstr("more than 16"));
  EXPECT_THAT(reason("4k3/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1"), HasSubstr("more than 16"));
}

TEST(Fen, SixteenPiecesASideAreAllowed) {
  EXPECT_TRUE(Position::from_fen("qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1").ok());
}

// What a position says of itself must not contradict its board.
void expect_consistent(const Position& position) {
  Bitboard white = 0;
  Bitboard black = 0;
  for (Square square = 0; square < 64; ++square) {
    const Piece piece = position.piece_at(square);
    if (piece.empty()) continue;
    (piece.color == Color::White ? white : black) |= bit(square);
    EXPECT_NE(position.pieces(piece.color, piece.type) & bit(square), 0u);
    if (piece.type == PieceType::King) {
      EXPECT_EQ(position.king(piece.color), square);
    }
  }
  EXPECT_EQ(position.pieces(Color::White), white);
  EXPECT_EQ(position.pieces(Color::Black), black);
  Bitboard types = 0;
  for (std::size_t type = 0; type < kPieceTypes; ++type) {
    for (const Color color : {Color::White, Color::Black}) {
      const Bitboard set = position.pieces(color, static_cast<PieceType>(type));
      EXPECT_EQ(types & set, 0u);
      types |= set;
    }
  }
  EXPECT_EQ(types, white | black);
}

TEST(MakeUnmake, RestoresExactly) {
  Random random(2);
  for (const std::string& fen : tests::example_fens()) {
    for (int walk = 0; walk < 20; ++walk) {
      Position position = *Position::from_fen(fen);
      std::vector<Position> before;
      std::vector<Move> moves;
      std::vector<Position::Undo> undos;
      for (int ply = 0; ply < 60; ++ply) {
        before.push_back(position);
        moves.push_back(tests::random_move(position, random));
        undos.push_back(position.undo());
        position.make(moves.back());
        expect_consistent(position);
        EXPECT_EQ(position.side_to_move(), ~before.back().side_to_move());
      }
      while (!moves.empty()) {
        position.unmake(moves.back(), undos.back());
        ASSERT_EQ(position, before.back()) << before.back().fen();
        moves.pop_back();
        undos.pop_back();
        before.pop_back();
      }
    }
  }
}

TEST(MakeUnmake, FenTellsTheSamePosition) {
  Random random(3);
  for (const std::string& fen : tests::example_fens()) {
    Position position = *Position::from_fen(fen);
    for (int ply = 0; ply < 80; ++ply) {
      const auto parsed = Position::from_fen(position.fen());
      ASSERT_TRUE(parsed.ok()) << position.fen();
      EXPECT_EQ(*parsed, position) << position.fen();
      position.make(tests::random_move(position, random));
    }
  }
}

TEST(Make, ClocksAndRights) {
  Position position = *Position::from_fen("r3k2r/p7/8/8/8/8/7P/R3K2R w KQkq - 5 9");
  const auto play = [&position](Move move) {
    position.make(move);
    return position.fen();
  };
  EXPECT_EQ(play({.from = 15, .to = 31, .piece = PieceType::Pawn, .kind = MoveKind::DoublePush}),
            "r3k2r/p7/8/8/7P/8/8/R3K2R b KQkq h3 0 9");
  EXPECT_EQ(play({.from = 60, .to = 58, .piece = PieceType::King, .kind = MoveKind::Castling}),
            "2kr3r/p7/8/8/7P/8/8/R3K2R w KQ - 1 10");
  EXPECT_EQ(play({.from = 4, .to = 4, .kind = MoveKind::Null}),
            "2kr3r/p7/8/8/7P/8/8/R3K2R b KQ - 2 10");
  // A rook that takes a rook on its home square ends the rights of both.
  EXPECT_EQ(play({.from = 59, .to = 3, .piece = PieceType::Rook}),
            "2k4r/p7/8/8/7P/8/8/R2rK2R w KQ - 3 11");
  position = *Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9");
  EXPECT_EQ(play({.from = 7, .to = 63, .piece = PieceType::Rook, .captured = PieceType::Rook}),
            "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 9");
}

}  // namespace
}  // namespace scidfs::codec
