#include "codec/scid/moves.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "codec/movegen.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

using tests::NumberedSquares;
using tests::Random;

// The meaning of a code by codec/scid/FORMAT.md, section 5.1: the target of the piece and the piece
// that it becomes there. Ignores pieces in the way.
struct Meaning {
  int file = 0;
  int rank = 0;
  PieceType promotion = PieceType::None;
  MoveKind kind = MoveKind::Normal;
};

std::optional<Meaning> step(Square from, int step_size, int most_files) {
  const int to = from + step_size;
  if (to < 0 || to > 63) return std::nullopt;
  const int files = (to % 8) - file_of(from);
  if (files > most_files || files < -most_files) return std::nullopt;
  return Meaning{.file = to % 8, .rank = to / 8};
}

std::optional<Meaning> king_meaning(Square from, unsigned code, Color us) {
  constexpr std::array<int, 9> kSteps = {0, -9, -8, -7, -1, 1, 7, 8, 9};
  const int home = us == Color::White ? 0 : 7;
  if (code == 0)
    return Meaning{.file = file_of(from), .rank = rank_of(from), .kind = MoveKind::Null};
  if (code <= 8) return step(from, kSteps[code], 1);
  if (code > 10 || from != make_square(4, home)) return std::nullopt;
  return Meaning{.file = code == 9 ? 2 : 6, .rank = home, .kind = MoveKind::Castling};
}

std::optional<Meaning> bishop_meaning(Square from, unsigned code) {
  const int files = static_cast<int>(code % 8) - file_of(from);
  const int rank = rank_of(from) + (code < 8 ? files : -files);
  if (files == 0 || rank < 0 || rank > 7) return std::nullopt;
  return Meaning{.file = static_cast<int>(code % 8), .rank = rank};
}

std::optional<Meaning> rook_meaning(Square from, unsigned code) {
  const Meaning to = code < 8 ? Meaning{.file = static_cast<int>(code), .rank = rank_of(from)}
                              : Meaning{.file = file_of(from), .rank = static_cast<int>(code) - 8};
  if (make_square(to.file, to.rank) == from) return std::nullopt;
  return to;
}

std::optional<Meaning> pawn_meaning(Square from, unsigned code, Color us) {
  constexpr std::array<PieceType, 5> kPromotions = {
      PieceType::None, PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight};
  const int size = code == 15 ? 16 : 7 + static_cast<int>(code % 3);
  std::optional<Meaning> to = step(from, us == Color::White ? size : -size, 1);
  if (!to.has_value()) return std::nullopt;
  // A capture goes to the next file on the next rank, a push stays on its file.
  const int files = to->file - file_of(from);
  if ((size == 7 || size == 9) != (files != 0)) return std::nullopt;
  if (code != 15) to->promotion = kPromotions[code / 3];
  const bool last_rank = to->rank == (us == Color::White ? 7 : 0);
  if (last_rank != (to->promotion != PieceType::None)) return std::nullopt;
  return to;
}

std::optional<Meaning> meaning(PieceType piece, Square from, unsigned code, Color us) {
  constexpr std::array<int, 9> kKnight = {0, -17, -15, -10, -6, 6, 10, 15, 17};
  switch (piece) {
    case PieceType::King:
      return king_meaning(from, code, us);
    case PieceType::Queen:
      return code == static_cast<unsigned>(file_of(from)) ? std::nullopt : rook_meaning(from, code);
    case PieceType::Rook:
      return rook_meaning(from, code);
    case PieceType::Bishop:
      return bishop_meaning(from, code);
    case PieceType::Knight:
      return code == 0 || code > 8 ? std::nullopt : step(from, kKnight[code], 2);
    default:
      return pawn_meaning(from, code, us);
  }
}

// The expected result of the decoder.
std::optional<Move> naive_decode(const Position& position, PieceType piece, Square from,
                                 const std::optional<Meaning>& to) {
  if (!to.has_value()) return std::nullopt;
  const Color us = position.side_to_move();
  Move move{.from = from,
            .to = make_square(to->file, to->rank),
            .piece = piece,
            .promotion = to->promotion,
            .kind = to->kind};
  if (to->kind == MoveKind::Null) {
    move.piece = PieceType::None;
    return move;
  }
  if (to->kind == MoveKind::Castling) {
    const int corner = to->file == 6 ? 7 : 0;
    if (position.piece_at(make_square(corner, to->rank)) != Piece{PieceType::Rook, us}) {
      return std::nullopt;
    }
    for (int file = std::min(4, corner) + 1; file < std::max(4, corner); ++file) {
      if (!position.piece_at(make_square(file, to->rank)).empty()) return std::nullopt;
    }
    return move;
  }
  const Piece victim = position.piece_at(move.to);
  if (!victim.empty() && (victim.color == us || victim.type == PieceType::King))
    return std::nullopt;
  move.captured = victim.type;
  if (piece != PieceType::Pawn) return move;
  const int ranks = std::abs(to->rank - rank_of(from));
  const bool pushes = to->file == file_of(from);
  if (pushes && !victim.empty()) return std::nullopt;
  if (ranks == 2 && rank_of(from) == (us == Color::White ? 1 : 6)) move.kind = MoveKind::DoublePush;
  if (!pushes && victim.empty()) {
    const Square passed = make_square(to->file, rank_of(from));
    if (position.piece_at(passed) != Piece{PieceType::Pawn, ~us} ||
        move.promotion != PieceType::None) {
      return std::nullopt;
    }
    move.kind = MoveKind::EnPassant;
    move.captured = PieceType::Pawn;
  }
  return move;
}

void expect_decodes_as(const Position& position, const PieceLists& lists) {
  const Color us = position.side_to_move();
  for (std::size_t number = 0; number < kMaxPieces; ++number) {
    for (unsigned code = 0; code < 16; ++code) {
      const auto byte = static_cast<std::uint8_t>(number << 4 | code);
      const DecodedMove decoded = decode_move(position, lists, byte, 0);
      if (number >= lists.count(us)) {
        EXPECT_FALSE(decoded.error.empty());
        continue;
      }
      const NumberedPiece piece = lists.piece(us, number);
      const std::optional<Move> expected = naive_decode(
          position, piece.type(), piece.square(), meaning(piece.type(), piece.square(), code, us));
      ASSERT_EQ(decoded.error.empty(), expected.has_value())
          << position.fen() << " byte " << int{byte} << ": " << decoded.error;
      if (expected.has_value()) {
        ASSERT_EQ(decoded.move, *expected) << position.fen() << ' ' << int{byte};
      }
      if (piece.type() != PieceType::Queen ||
          code != static_cast<unsigned>(file_of(piece.square()))) {
        continue;
      }
      for (unsigned second = 0; second < 256; ++second) {
        const DecodedMove queen =
            decode_move(position, lists, byte, static_cast<std::uint8_t>(second));
        std::optional<Move> diagonal;
        const int to = static_cast<int>(second) - 64;
        if (to >= 0 && to < 64 && to != piece.square() &&
            std::abs(to % 8 - file_of(piece.square())) ==
                std::abs(to / 8 - rank_of(piece.square()))) {
          diagonal = naive_decode(position, piece.type(), piece.square(),
                                  Meaning{.file = to % 8, .rank = to / 8});
        }
        ASSERT_EQ(queen.error.empty(), diagonal.has_value()) << position.fen() << ' ' << second;
        if (diagonal.has_value()) {
          ASSERT_EQ(queen.move, *diagonal);
          ASSERT_TRUE(queen.two_bytes);
        }
      }
    }
  }
}

// Each piece of each color on each square, alone, before and behind pieces of both colors.
TEST(MoveCodes, DecodesEveryCodeOfEveryPieceOnEverySquare) {
  Random random(7);
  for (int round = 0; round < 2500; ++round) {
    const Position position = *Position::from_fen(tests::random_fen(random));
    expect_decodes_as(position, PieceLists::from_position(position));
    if (HasFatalFailure()) return;
  }
  for (const std::string& fen : tests::example_fens()) {
    const Position position = *Position::from_fen(fen);
    expect_decodes_as(position, PieceLists::from_position(position));
  }
  expect_decodes_as(Position(), PieceLists::standard());
}

// The table and the general decoder agree wherever the table decides.
TEST(MoveCodes, TableAgreesWithMeaningOfCodes) {
  for (const Color us : {Color::White, Color::Black}) {
    for (std::size_t number = 0; number <= kPieceTypes; ++number) {
      const auto type = static_cast<PieceType>(number);
      for (Square from = 0; from < 64; ++from) {
        for (unsigned code = 0; code < 16; ++code) {
          const Target target = find_target(us, {type, from}, code);
          const std::optional<Meaning> expected =
              type == PieceType::None ? std::nullopt : meaning(type, from, code, us);
          const bool plain = expected.has_value() && expected->promotion == PieceType::None &&
                             expected->kind == MoveKind::Normal;
          ASSERT_EQ(target.allowed != 0, plain) << number << ' ' << int{from} << ' ' << code;
          if (!plain) continue;
          ASSERT_EQ(target.to, make_square(expected->file, expected->rank));
          ASSERT_EQ(target.allowed & obstacle_of(us), 0);
        }
      }
    }
  }
}

std::vector<std::string> names(const PieceLists& lists, Color color) {
  std::vector<std::string> texts;
  for (std::size_t number = 0; number < lists.count(color); ++number) {
    const NumberedPiece piece = lists.piece(color, number);
    texts.push_back({"KQRBNP"[static_cast<std::size_t>(piece.type())],
                     static_cast<char>('a' + file_of(piece.square())),
                     static_cast<char>('1' + rank_of(piece.square()))});
  }
  return texts;
}

TEST(PieceLists, NumberTheStandardPosition) {
  const PieceLists lists = PieceLists::standard();
  EXPECT_EQ(names(lists, Color::White),
            (std::vector<std::string>{"Ke1", "Ra1", "Nb1", "Bc1", "Qd1", "Bf1", "Ng1", "Rh1", "Pa2",
                                      "Pb2", "Pc2", "Pd2", "Pe2", "Pf2", "Pg2", "Ph2"}));
  EXPECT_EQ(names(lists, Color::Black),
            (std::vector<std::string>{"Ke8", "Ra8", "Nb8", "Bc8", "Qd8", "Bf8", "Ng8", "Rh8", "Pa7",
                                      "Pb7", "Pc7", "Pd7", "Pe7", "Pf7", "Pg7", "Ph7"}));
}

TEST(PieceLists, NumberTheStandardPositionFromFen) {
  const PieceLists lists = PieceLists::from_position(Position());
  EXPECT_EQ(names(lists, Color::White),
            (std::vector<std::string>{"Ke1", "Pb2", "Pc2", "Pd2", "Pe2", "Pf2", "Pg2", "Ph2", "Ra1",
                                      "Nb1", "Bc1", "Qd1", "Pa2", "Bf1", "Ng1", "Rh1"}));
  EXPECT_EQ(names(lists, Color::Black),
            (std::vector<std::string>{"Ke8", "Nb8", "Bc8", "Qd8", "Ra8", "Bf8", "Ng8", "Rh8", "Pa7",
                                      "Pb7", "Pc7", "Pd7", "Pe7", "Pf7", "Pg7", "Ph7"}));
}

// In the example of section 11: exd5 Qxd5.
TEST(PieceLists, CaptureMovesLastPieceToFreedNumber) {
  PieceLists lists = PieceLists::standard();
  lists.make<Color::White>(12, {.from = 12, .to = 28, .piece = PieceType::Pawn});
  lists.make<Color::Black>(11, {.from = 51, .to = 35, .piece = PieceType::Pawn});
  const Move takes{.from = 28, .to = 35, .piece = PieceType::Pawn, .captured = PieceType::Pawn};
  const PieceLists before = lists;
  EXPECT_EQ(lists.number_on(35), 11);
  lists.make<Color::White>(lists.number_on(takes.from), takes);
  EXPECT_EQ(lists.count(Color::Black), 15u);
  EXPECT_EQ(names(lists, Color::Black)[11], "Ph7");
  EXPECT_EQ(lists.number_on(35), 12);
  lists.unmake(Color::White, takes, 11);
  EXPECT_EQ(lists, before);
}

template <Color kUs>
std::uint8_t play(Position& position, PieceLists& lists, const Move& move) {
  const std::uint8_t captured = lists.number_on(victim_of(move, kUs));
  lists.make<kUs>(lists.number_on(move.from), move);
  position.make<kUs>(move);
  return captured;
}

TEST(PieceLists, FollowGamesAndUndoMoves) {
  Random random(8);
  for (const std::string& fen : tests::example_fens()) {
    for (int walk = 0; walk < 10; ++walk) {
      Position position = *Position::from_fen(fen);
      PieceLists lists = PieceLists::from_position(position);
      NumberedSquares squares = NumberedSquares::from_board(position);
      std::vector<PieceLists> before;
      std::vector<Move> moves;
      std::vector<std::uint8_t> captured;
      for (int ply = 0; ply < 70; ++ply) {
        for (const Color color : {Color::White, Color::Black}) {
          ASSERT_EQ(lists.count(color), squares.of(color).size());
          for (std::size_t number = 0; number < lists.count(color); ++number) {
            const NumberedPiece piece = lists.piece(color, number);
            ASSERT_EQ(piece.square(), squares.of(color)[number]) << position.fen();
            ASSERT_EQ(lists.number_on(piece.square()), number);
            ASSERT_EQ(position.piece_at(piece.square()), (Piece{piece.type(), color}));
          }
        }
        const Color us = position.side_to_move();
        before.push_back(lists);
        moves.push_back(tests::random_move(position, random));
        squares.play(us, moves.back());
        captured.push_back(us == Color::White ? play<Color::White>(position, lists, moves.back())
                                              : play<Color::Black>(position, lists, moves.back()));
      }
      for (Color us = ~position.side_to_move(); !moves.empty(); us = ~us) {
        lists.unmake(us, moves.back(), captured.back());
        ASSERT_EQ(lists, before.back());
        moves.pop_back();
        before.pop_back();
        captured.pop_back();
      }
    }
  }
}

TEST(MoveCodes, EveryLegalMoveIsEncodedAndDecoded) {
  Random random(9);
  for (const std::string& fen : tests::example_fens()) {
    Position position = *Position::from_fen(fen);
    PieceLists lists = PieceLists::from_position(position);
    NumberedSquares squares = NumberedSquares::from_board(position);
    for (int ply = 0; ply < 60; ++ply) {
      const Color us = position.side_to_move();
      for (const Move& move : legal_moves(position)) {
        const std::string bytes = tests::encode_move(move, us, squares.number_on(us, move.from));
        const auto second = static_cast<std::uint8_t>(bytes.size() == 2 ? bytes[1] : 0);
        const DecodedMove decoded =
            decode_move(position, lists, static_cast<std::uint8_t>(bytes[0]), second);
        ASSERT_EQ(decoded.error, "") << position.fen();
        ASSERT_EQ(decoded.move, move) << position.fen();
        ASSERT_EQ(decoded.two_bytes, bytes.size() == 2);
      }
      const Move move = tests::random_move(position, random);
      squares.play(us, move);
      us == Color::White ? play<Color::White>(position, lists, move)
                         : play<Color::Black>(position, lists, move);
    }
  }
}

TEST(Castling960, FollowsCastlingRight) {
  const auto decode = [](std::string_view fen, std::uint8_t code, CastlingRule rule) {
    const Position position = *Position::from_fen(fen, rule);
    return decode_move(position, PieceLists::from_position(position), code, 0);
  };
  constexpr std::uint8_t kLong = 9;
  constexpr std::uint8_t kShort = 10;
  constexpr std::string_view kBoth = "4k3/8/8/8/8/8/8/1R2K1RR w GQ - 0 1";
  EXPECT_EQ(decode(kBoth, kShort, CastlingRule::Chess960).error, "");
  EXPECT_EQ(decode(kBoth, kShort, CastlingRule::Chess960).move,
            (Move{.from = 4, .to = 6, .piece = PieceType::King, .kind = MoveKind::Castling}));
  EXPECT_EQ(decode(kBoth, kLong, CastlingRule::Chess960).move.to, 2);
  // Scid 4 has no rights for rooks on b1 and g1, and another rook blocks the one on h1.
  EXPECT_NE(decode(kBoth, kShort, CastlingRule::Standard).error, "");
  EXPECT_NE(decode(kBoth, kLong, CastlingRule::Standard).error, "");
  // Without the letter there is no such right.
  EXPECT_NE(decode("4k3/8/8/8/8/8/8/1R3KR1 w K - 0 1", kLong, CastlingRule::Chess960).error, "");
  EXPECT_NE(decode("4k3/8/8/8/8/8/8/1R3KR1 w - - 0 1", kShort, CastlingRule::Chess960).error, "");
  // Scid never requires a right for kings and rooks on their home squares.
  EXPECT_EQ(decode("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", kShort, CastlingRule::Chess960).error, "");
  // No piece may be on the squares where king or rook go, nor between.
  for (const std::string_view blocked :
       {"4k3/8/8/8/8/8/8/1RN2KR1 w KQ - 0 1", "4k3/8/8/8/8/8/8/1R1N1KR1 w KQ - 0 1",
        "4k3/8/8/8/8/8/8/1R2NKR1 w KQ - 0 1"}) {
    EXPECT_EQ(decode(blocked, kLong, CastlingRule::Chess960).error, "castling over another piece");
    EXPECT_EQ(decode(blocked, kShort, CastlingRule::Chess960).error, "");
  }
}

// Numbers and squares agree throughout games in which both sides castle in every way.
TEST(Castling960, PiecesKeepTheirNumbers) {
  Random random(10);
  std::size_t castlings = 0;
  for (const std::string_view fen :
       {"4k3/8/8/8/8/8/8/5KR1 w K - 0 1", "rk2r3/p7/8/8/8/8/P7/RK2R3 w KQkq - 0 1",
        "1rkr4/8/8/8/8/8/8/1RKR4 w KQkq - 0 1", "r5kr/8/8/8/8/8/8/R5KR b KQkq - 0 1"}) {
    for (int game = 0; game < 400; ++game) {
      Position position = *Position::from_fen(fen, CastlingRule::Chess960);
      PieceLists lists = PieceLists::from_position(position);
      for (int ply = 0; ply < 12 && has_legal_move(position); ++ply) {
        const Color us = position.side_to_move();
        const Move move = tests::random_move(position, random);
        const PieceLists before = lists;
        const std::uint8_t captured = lists.number_on(victim_of(move, us));
        us == Color::White ? play<Color::White>(position, lists, move)
                           : play<Color::Black>(position, lists, move);
        castlings += move.kind == MoveKind::Castling ? 1 : 0;
        for (const Color color : {Color::White, Color::Black}) {
          ASSERT_EQ(lists.count(color),
                    static_cast<std::size_t>(std::popcount(position.pieces(color))));
          for (std::size_t number = 0; number < lists.count(color); ++number) {
            const NumberedPiece piece = lists.piece(color, number);
            ASSERT_EQ(position.piece_at(piece.square()), (Piece{piece.type(), color}));
            ASSERT_EQ(lists.number_on(piece.square()), number);
          }
        }
        PieceLists back = lists;
        back.unmake(us, move, captured);
        ASSERT_EQ(back, before);
      }
    }
  }
  EXPECT_GT(castlings, 100u);
}

}  // namespace
}  // namespace scidfs::codec::scid
