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

TEST(Fen, WritesAndReadsStartPosition) {
  EXPECT_EQ(Position().fen(), kStart);
  const auto parsed = Position::from_fen(kStart);
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(*parsed, Position());
}

TEST(Fen, SurvivesRoundTrip) {
  for (const std::string& fen : tests::example_fens()) EXPECT_EQ(round_trip(fen), fen);
  Random random(1);
  for (int i = 0; i < 500; ++i) {
    const std::string fen = tests::random_fen(random);
    const std::string once = round_trip(fen);
    EXPECT_EQ(once.substr(0, once.find(' ')), fen.substr(0, fen.find(' ')));
    EXPECT_EQ(round_trip(once), once);
  }
}

// Board and side decide; what else makes no sense is left out.
TEST(Fen, OddFieldsAreCorrectedOrIgnored) {
  constexpr std::string_view kCorners = "r3k2r/8/8/8/8/8/8/R3K2R";
  constexpr std::string_view kBoard = "4k3/8/8/8/8/8/8/4K2R";
  struct Case {
    std::string_view board, fields, read;
  };
  constexpr Case kCases[] = {
      // Missing fields are guessed, but only what is possible.
      {kCorners, "", " w KQkq - 0 1"},
      {kCorners, " b", " b KQkq - 0 1"},
      {kCorners, " b Kq", " b Kq - 0 1"},
      {kCorners, " w - -", " w - - 0 1"},
      {kCorners, " w - - 7", " w - - 7 1"},
      {"r3k3/8/8/8/8/8/8/4K2R", " w", " w Kq - 0 1"},
      {"r2k3r/8/8/8/8/8/8/R2K3R", " w", " w - - 0 1"},
      // Odd fields.
      {kBoard, " w KQkq - 0 1", " w K - 0 1"},
      {kBoard, " w HAha - 0 1", " w - - 0 1"},
      {kBoard, " w K - 0 0", " w K - 0 1"},
      {kBoard, " w K - x y", " w K - 0 1"},
      {kBoard, " w K - -5 99999999999999999999", " w K - 0 1"},
      {kBoard, " w K - 12 2000", " w K - 12 2000"},
      {kBoard, " W K e6 0 1", " w K e6 0 1"},
      {kBoard, " B K e3 0 1", " b K e3 0 1"},
      {kBoard, " w K e3 5 7", " w K - 5 7"},
      {kBoard, " b K d6 5 7", " b K - 5 7"},
      {kBoard, " w K -- 5 7", " w K - 5 7"},
      {kBoard, " w K e4 5 7", " w K - 5 7"},
      {kBoard, " w K i6 5 7", " w K - 5 7"},
      {kBoard, " w K e66 5 7", " w K - 5 7"},
      {kBoard, " w K E6 5 7", " w K - 5 7"},
      {kBoard, " w K 5 7", " w K - 7 1"},
      {kBoard, "w K - 5 7", " w K - 5 7"},
      {kBoard, "bK - 5 7", " b K - 5 7"},
      {kBoard, "b", " b K - 0 1"},
      {kBoard, " w -- - 5 7", " w - - 5 7"},
      {kBoard, " w K - 70000 70000", " w K - 70000 70000"},
      {kBoard, " w K - 1000000 99999999999", " w K - 0 1"},
      {kBoard, " w K - 3, 7;", " w K - 3 7"},
  };
  const auto text = [](std::string_view board, std::string_view fields) {
    return std::string(board).append(fields);
  };
  for (const auto& [board, fields, read] : kCases) {
    EXPECT_EQ(round_trip(text(board, fields)), text(board, read)) << fields;
  }
  EXPECT_EQ(round_trip("  " + text(kBoard, "\t w  K -   0 1 and more")),
            text(kBoard, " w K - 0 1"));
  for (const std::string_view board :
       {"4k3//8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8//4K2R", "//4k3/8/8/8///8/8/8/4K2R",
        "4k38888884K2R", "4k3/8/44/413/8/8/8/4K2R"}) {
    EXPECT_EQ(round_trip(text(board, " w K - 5 7")), text(kBoard, " w K - 5 7"));
  }
}

TEST(Fen, InvalidFenIsRejectedWithReason) {
  constexpr std::pair<std::string_view, std::string_view> kFens[] = {
      {"", "empty"},
      {" \t ", "empty"},
      {"8/8/8/8/8/8/8/8 w - - 0 1", "king is missing"},
      {"4k3/8/8/8/8/8/8/8 w - - 0 1", "king is missing"},
      {"4k3/4k3/8/8/8/8/8/4K3 w - - 0 1", "two kings"},
      {"4k3/8/8/8/8/8/8/4K2X w - - 0 1", "unknown letter"},
      {"4k3/8/8/8/8/8/8/4K4 w - - 0 1", "more than eight"},
      {"4k3/8/8/8/8/8/8/4K2RR w - - 0 1", "more than 64"},
      {"4k3/8/8/8/8/8/7/4K3 w - - 0 1", "eight squares"},
      {"4k3/8/8/8/8/8/4K3 w - - 0 1", "64 squares"},
      {"4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "more than 64"},
      {"4k3/9/8/8/8/8/8/4K3 w - - 0 1", "unknown letter"},
      {"4k3/8/8/8/8/8/8/4K3 x - - 0 1", "side to move"},
      {"4k3/8/8/8/QQQQQQQQ/QQQQQQQQ/8/4K3 w - - 0 1", "more than 16"},
      {"4k3/qqqqqqqq/qqqqqqqq/8/8/8/8/4K3 w - - 0 1", "more than 16"},
  };
  for (const auto& [fen, reason] : kFens) {
    const absl::StatusOr<Position> position = Position::from_fen(fen);
    EXPECT_EQ(position.status().code(), absl::StatusCode::kInvalidArgument) << fen;
    EXPECT_THAT(std::string(position.status().message()), testing::HasSubstr(reason)) << fen;
  }
}

TEST(Fen, SixteenPiecesASideAreAllowed) {
  EXPECT_TRUE(Position::from_fen("qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1").ok());
}

// The fields of a position must not contradict its board.
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

TEST(MakeUnmake, RestoresPositionExactly) {
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

TEST(MakeUnmake, FenGivesTheSamePosition) {
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

std::string chess960_round_trip(std::string_view fen) {
  const absl::StatusOr<Position> position = Position::from_fen(fen, CastlingRule::Chess960);
  return position.ok() ? position->fen() : std::string(position.status().message());
}

TEST(Chess960Fen, CastlingLettersNameTheOutermostRookOrAFile) {
  const std::string inner = "1rr1k1rr/8/8/8/8/8/8/1RR1K1RR";
  const auto with = [](const std::string& board, std::string_view rights) {
    return board + " w " + std::string(rights) + " - 0 1";
  };
  EXPECT_EQ(chess960_round_trip(with(inner, "KQkq")), with(inner, "KQkq"));
  EXPECT_EQ(chess960_round_trip(with(inner, "HBhb")), with(inner, "KQkq"));
  EXPECT_EQ(chess960_round_trip(with(inner, "GCgc")), with(inner, "GCgc"));
  EXPECT_EQ(chess960_round_trip(with(inner, "cbgK")), with(inner, "Kgq"));
  // Neither a rook, nor beside the king, nor a letter at all.
  EXPECT_EQ(chess960_round_trip(with(inner, "ADEFxyZ1-")), with(inner, "-"));
  const std::string standard = "r3k2r/8/8/8/8/8/8/R3K2R";
  EXPECT_EQ(chess960_round_trip(with(standard, "HAha")), with(standard, "KQkq"));
  EXPECT_EQ(chess960_round_trip(with(standard, "KQkq")), with(standard, "KQkq"));
  // A king away from its first rank has no castling rights.
  const std::string away = "r6r/4k3/8/8/8/8/4K3/R6R";
  EXPECT_EQ(chess960_round_trip(with(away, "KQkq")), with(away, "-"));
  // Rights that Scid 4 drops.
  const std::string kings_moved = "4rrk1/8/8/8/8/8/8/4RRK1";
  EXPECT_EQ(round_trip(with(kings_moved, "KQkq")), with(kings_moved, "-"));
  EXPECT_EQ(chess960_round_trip(with(kings_moved, "KQkq")), with(kings_moved, "Qq"));
}

// Another rook moves outside the one that castles.
TEST(Chess960Fen, CastlingLettersDependOnOtherRooks) {
  Position position =
      *Position::from_fen("4k3/8/8/8/8/8/8/1R2K1R1 w KQ - 0 1", CastlingRule::Chess960);
  position.make({.from = 1, .to = 9, .piece = PieceType::Rook});
  EXPECT_EQ(position.fen(), "4k3/8/8/8/8/8/1R6/4K1R1 b K - 1 1");
  position = *Position::from_fen("4k3/8/8/8/8/8/7R/1R2K1R1 w KQ - 0 1", CastlingRule::Chess960);
  position.make({.from = 15, .to = 7, .piece = PieceType::Rook});
  EXPECT_EQ(position.fen(), "4k3/8/8/8/8/8/8/1R2K1RR b GQ - 1 1");
}

// King and rook may stay, pass each other, or exchange squares.
TEST(Make, CastlesInChess960) {
  struct Case {
    std::string_view before;
    Square from, to;
    std::string_view after;
  };
  constexpr std::array<Case, 6> kCases = {{
      {"4k3/8/8/8/8/8/8/5KR1 w K - 0 1", 5, 6, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
      {"4k3/8/8/8/8/8/8/6KR w K - 0 1", 6, 6, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
      {"4k3/8/8/8/8/8/8/R1K5 w Q - 0 1", 2, 2, "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"},
      {"4k3/8/8/8/8/8/8/3RK3 w Q - 0 1", 4, 2, "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"},
      {"4k3/8/8/8/8/8/8/RK6 w Q - 0 1", 1, 2, "4k3/8/8/8/8/8/8/2KR4 b - - 1 1"},
      {"4k3/8/8/8/8/8/8/1K3R2 w K - 0 1", 1, 6, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"},
  }};
  for (const Case& test : kCases) {
    const Position before = *Position::from_fen(test.before, CastlingRule::Chess960);
    const Move move{
        .from = test.from, .to = test.to, .piece = PieceType::King, .kind = MoveKind::Castling};
    Position position = before;
    position.make(move);
    EXPECT_EQ(position.fen(), test.after);
    EXPECT_EQ(position.king(Color::White), test.to);
    EXPECT_EQ(std::popcount(position.occupied()), 3);
    position.unmake(move, before.undo());
    EXPECT_EQ(position, before) << position.fen();
    EXPECT_EQ(position.fen(), test.before);
  }
}

// After any moves, the text of a position describes it completely and has the announced length.
TEST(Chess960Fen, RandomGamesSurviveRoundTripAtEachMove) {
  Random random(960);
  for (const std::string_view fen :
       {"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "1rr1k1rr/8/8/8/8/8/8/1RR1K1RR w GCgc - 0 1", "rk2r3/8/8/8/8/8/8/RK2R3 w KQkq - 0 1"}) {
    for (int game = 0; game < 50; ++game) {
      Position position = *Position::from_fen(fen, CastlingRule::Chess960);
      for (int ply = 0; ply < 30 && has_legal_move(position); ++ply) {
        const auto parsed = Position::from_fen(position.fen(), CastlingRule::Chess960);
        ASSERT_TRUE(parsed.ok());
        ASSERT_EQ(*parsed, position) << position.fen();
        std::array<char, Position::kMaxEpdFields> room;
        ASSERT_EQ(static_cast<std::size_t>(position.write_epd_fields(room.data()) - room.data()),
                  position.epd_fields_length());
        const Position before = position;
        const Move move = tests::random_move(position, random);
        position.make(move);
        Position back = position;
        back.unmake(move, before.undo());
        ASSERT_EQ(back, before) << before.fen();
      }
    }
  }
}

TEST(Make, UpdatesClocksAndRights) {
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
  // A rook that captures a rook on its home square ends the rights of both.
  EXPECT_EQ(play({.from = 59, .to = 3, .piece = PieceType::Rook}),
            "2k4r/p7/8/8/7P/8/8/R2rK2R w KQ - 3 11");
  position = *Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9");
  EXPECT_EQ(play({.from = 7, .to = 63, .piece = PieceType::Rook, .captured = PieceType::Rook}),
            "r3k2R/8/8/8/8/8/8/R3K3 b Qq - 0 9");
}

}  // namespace
}  // namespace scidfs::codec
