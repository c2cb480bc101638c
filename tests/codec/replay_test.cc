// Examples of the replay; tests/fuzz/replay_target.cc compares it with the walk.
#include "codec/scid/replay.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "codec/san.h"
#include "tests/support/files.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

// Records up to a number of boards as FENs.
struct Boards {
  explicit Boards(std::size_t most_boards) : most(most_boards) {}

  bool start(ReplayBoard board, Color) { return add(board); }
  template <Color>
  bool move(ReplayBoard after, const Move& move, const std::uint8_t* next) {
    moves.push_back(move);
    ends.push_back(next);
    return add(after);
  }
  bool add(ReplayBoard board) {
    constexpr std::string_view kLetters = "KQRBNPkqrbnp";
    std::string text(64, '.');
    for (const Color color : {Color::White, Color::Black}) {
      for (Square square = 0; square < 64; ++square) {
        if ((board.occupied(color) & bit(square)) == 0) continue;
        const auto letter = static_cast<std::size_t>(board.type_on(color, square)) +
                            static_cast<std::size_t>(color) * kPieceTypes;
        text[square] = kLetters[letter];
      }
    }
    boards.push_back(text);
    return boards.size() < most;
  }

  std::size_t most;
  std::vector<std::string> boards;
  std::vector<Move> moves;
  std::vector<const std::uint8_t*> ends;
};

Boards replay(const std::string& record, std::size_t most = 1000,
              CastlingRule rule = CastlingRule::Standard) {
  std::vector<ExtraTag> tags;
  RecordHead head;
  EXPECT_FALSE(parse_record_head(tests::as_bytes(record), tags, head, rule).has_value());
  Boards boards(most);
  Replay().run(tests::as_bytes(record), head, boards);
  return boards;
}

std::string board_of(const Position& position) {
  constexpr std::string_view kLetters = "KQRBNPkqrbnp";
  std::string text(64, '.');
  for (Square square = 0; square < 64; ++square) {
    const Piece piece = position.piece_at(square);
    if (piece.empty()) continue;
    text[square] = kLetters[static_cast<std::size_t>(piece.type) +
                            static_cast<std::size_t>(piece.color) * kPieceTypes];
  }
  return text;
}

// The game with these moves has the positions of the rules of chess.
void expect_game(std::string_view fen, std::string_view sans) {
  tests::ScidEncoder game = fen.empty() ? tests::ScidEncoder() : tests::ScidEncoder(fen);
  game.moves(sans);
  const Boards found = replay(game.record());
  Position position = fen.empty() ? Position() : *Position::from_fen(fen);
  std::vector<std::string> expected = {board_of(position)};
  std::vector<Move> moves;
  while (!sans.empty()) {
    const std::string_view san = sans.substr(0, sans.find(' '));
    sans.remove_prefix(std::min(san.size() + 1, sans.size()));
    moves.push_back(parse_san(position, san).value());
    position.make(moves.back());
    expected.push_back(board_of(position));
  }
  EXPECT_EQ(found.boards, expected) << fen;
  EXPECT_EQ(found.moves, moves) << fen;
}

TEST(ReplayTest, FollowsMovesOfAllKinds) {
  expect_game("", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 O-O");
  expect_game("", "d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O");
  expect_game("", "e4 Nf6 e5 d5 exd6 Qxd6 Qf3 Qd4 Qxb7 Bxb7");        // en passant, diagonals
  expect_game("", "f4 e5 fxe5 d6 exd6 Bxd6 Nf3 g5 h3 g4 hxg4 Bxg4");  // numbers change
  expect_game(
      "",
      "a4 b5 axb5 a6 bxa6 Nc6 a7 Rb8 a8=N d5 Nxc7 Qxc7");  // a pawn that was promoted is captured
  expect_game("", "e4 -- d4 -- Nf3");
  expect_game("4k3/P6P/8/8/8/8/p6p/4K3 b - - 0 1", "a1=Q+ Ke2 h1=R a8=B Rf1 h8=R+ Kf7 Kd3");
  expect_game("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "axb8=Q+ Kd7 Qb7+ Kd6");
  expect_game("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e4 dxe3 Kd1 e2+ Kxe2");
}

TEST(ReplayTest, SkipsNotesAndVariations) {
  tests::ScidEncoder game;
  game.comment("first").move("e4").nag(1).begin_variation().move("d4").comment("x").nag(0x0E);
  game.begin_variation().moves("c4 c5").end_variation().moves("d5 Qd3").end_variation();
  game.move("c5").comment("last");
  const Boards found = replay(game.record());
  ASSERT_EQ(found.boards.size(), 3U);
  EXPECT_EQ(found.boards.back(), board_of(game.position()));
}

TEST(ReplayTest, CastlesInChess960) {
  constexpr std::string_view kFen = "1k1r3r/8/8/8/8/8/8/R4KR1 w GAhd - 0 1";
  tests::ScidEncoder game(kFen);
  Position position = *Position::from_fen(kFen, CastlingRule::Chess960);
  // Pieces are numbered by squares from a8 on, and kings are number 0.
  std::string record = game.record();
  const std::size_t end = record.find('\x0F', record.size() - 2);
  record.insert(end, "\x0A\x0A");  // O-O by both
  const Boards found = replay(record, 1000, CastlingRule::Chess960);
  ASSERT_EQ(found.boards.size(), 3U);
  for (const auto color : {Color::White, Color::Black}) {
    position.make({.from = position.king(color),
                   .to = castling_target(color, true),
                   .piece = PieceType::King,
                   .kind = MoveKind::Castling});
    EXPECT_EQ(found.boards[color == Color::White ? 1 : 2], board_of(position));
  }
}

TEST(ReplayTest, EndsWhenVisitorStops) {
  const std::string record = tests::ScidEncoder().moves("e4 e5 Nf3 Nc6").record();
  for (std::size_t most = 1; most <= 5; ++most) {
    EXPECT_EQ(replay(record, most).boards.size(), most);
  }
}

TEST(ReplayTest, ReportsWhereEachMoveEnds) {
  const std::string record = tests::ScidEncoder().moves("e4 e5 d4 d5 Qh5").record();
  const Boards found = replay(record);
  const auto* const end = reinterpret_cast<const std::uint8_t*>(record.data()) + record.size();
  // The last move has two bytes; the end marker follows.
  ASSERT_EQ(found.ends.size(), 5U);
  EXPECT_EQ(found.ends.back() + 1, end);
  EXPECT_EQ(found.ends[3] + 3, end);
  EXPECT_EQ(found.ends[2] + 4, end);
}

TEST(ReplayTest, EndsAtTruncationOfRecord) {
  const std::string record = tests::ScidEncoder()
                                 .moves("e4 e5 d4 d5 Qh5")
                                 .nag(1)
                                 .begin_variation()
                                 .moves("Qe2")
                                 .end_variation()
                                 .moves("Qd6")
                                 .record();
  std::size_t before = 0;
  for (std::size_t size = 2; size <= record.size(); ++size) {
    const std::size_t boards = replay(record.substr(0, size)).boards.size();
    EXPECT_GE(boards, before);
    EXPECT_LE(boards, 7U);
    before = boards;
  }
  EXPECT_EQ(before, 7U);
}

}  // namespace
}  // namespace scidfs::codec::scid
