#include "codec/san.h"

#include <gtest/gtest.h>

#include "codec/movegen.h"
#include "tests/support/random_game.h"

namespace scidfs::codec {
namespace {

using tests::Random;

struct Case {
  const char* fen;
  const char* from;
  const char* to;
  const char* san;
};

Square square_of(const char* name) { return make_square(name[0] - 'a', name[1] - '1'); }

// Returns the SAN of the legal move between two squares; of promotions, that to a queen.
std::string san_of(const Case& test) {
  const auto position = Position::from_fen(test.fen);
  if (!position.ok()) return std::string(position.status().message());
  for (const Move& move : legal_moves(*position)) {
    if (move.from == square_of(test.from) && move.to == square_of(test.to)) {
      return to_san(*position, move);
    }
  }
  return "no such move";
}

TEST(San, DisambiguatesByFileThenRank) {
  const Case cases[] = {
      {"4k3/8/8/8/8/8/8/RN2K1NR w - - 0 1", "b1", "c3", "Nc3"},
      {"4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1", "d2", "Nbd2"},   // the file is sufficient
      {"4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b1", "c3", "N1c3"},  // the file is shared
      {"4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b5", "c3", "N5c3"},
      {"6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4", "e1", "Qh4e1"},  // file and rank are shared
      {"6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4", "e1", "Qee1"},
      {"6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1", "e1", "Q1e1"},
      {"8/k7/8/2N1N3/8/2N1N3/8/K7 w - - 0 1", "e3", "d5", "Ned5"},
      {"8/k7/8/2N5/8/2N1N3/8/K7 w - - 0 1", "c3", "d5", "Ncd5"},
      {"8/k7/8/8/1N3N2/2N1N3/8/K7 w - - 0 1", "c3", "d5", "Ncd5"},
      // A rival behind another piece does not count.
      {"4k3/8/8/8/R1P1R3/8/8/4K3 w - - 0 1", "e4", "d4", "Rd4"},
      // A capture.
      {"4k3/8/8/3r4/8/2N1N3/8/4K3 w - - 0 1", "c3", "d5", "Ncxd5"},
      // A rival that the rook pins is none, but may still move along its line.
      {"4r2k/8/8/8/8/8/4N3/N3K3 w - - 0 1", "a1", "c2", "Nc2"},
      {"4r2k/8/8/8/8/4N3/8/N3K3 w - - 0 1", "a1", "c2", "Nc2"},
      {"4r2k/8/8/8/8/8/4R3/R3K3 w - - 0 1", "a1", "a2", "Ra2"},
      {"4r2k/8/8/8/R7/8/4R3/4K3 w - - 0 1", "a4", "e4", "Rae4"},
      // Captures and pawns.
      {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4", "d5", "exd5"},
      {"4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "c4", "d5", "cxd5"},
      {"4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4", "e5", "e5"},
      {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5", "d6", "exd6"},
      {"4k3/8/8/8/8/8/3p4/4K3 w - - 0 1", "e1", "d2", "Kxd2"},
      {"8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7", "a8", "a8=Q"},
      {"1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7", "b8", "axb8=Q+"},
      // Checks.
      {"4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1", "a8", "Ra8+"},
      // Discovered, by the king as well.
      {"4k3/8/8/8/8/8/4B3/K3R3 w - - 0 1", "e2", "d3", "Bd3+"},
      {"4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "e3", "d3", "Kd3+"},
      // Along the line nothing is uncovered.
      {"4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2", "e3", "Ke3"},
      // Double.
      {"4k3/8/8/8/4N3/8/8/K3R3 w - - 0 1", "e4", "d6", "Nd6+"},
      // Castling brings the rook onto the king's file.
      {"5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1", "g1", "O-O+"},
      {"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1", "c1", "O-O-O+"},
      {"4k2r/8/8/8/8/8/8/5K2 b k - 0 1", "e8", "g8", "O-O+"},
      // En passant empties two squares of the rank.
      {"8/8/8/k2pP2R/8/8/8/4K3 w - d6 0 1", "e5", "d6", "exd6+"},
      {"7k/8/8/3pP3/8/8/1B6/4K3 w - d6 0 1", "e5", "d6", "exd6+"},
      // The promoted piece gives check through the square that the pawn left.
      {"8/4P3/8/8/4k3/8/8/4K3 w - - 0 1", "e7", "e8", "e8=Q+"},
      // Mates.
      {"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1", "a8", "Ra8#"},
      {"6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1", "g5", "f7", "Nf7#"},
      {"7k/4P1pp/8/8/8/8/8/4K3 w - - 0 1", "e7", "e8", "e8=Q#"},
      {"R5nk/6pp/8/6N1/8/8/8/K7 w - - 0 1", "g5", "f7", "Nf7#"},
      // Stalemate is not marked.
      {"7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "f1", "f7", "Qf7"},
  };
  for (const Case& test : cases) EXPECT_EQ(san_of(test), test.san) << test.fen;
}

TEST(San, Promotions) {
  const Position position = *Position::from_fen("8/P3k3/8/8/8/8/8/4K3 w - - 0 1");
  std::vector<std::string> sans;
  for (const Move& move : legal_moves(position)) {
    if (move.promotion != PieceType::None) sans.push_back(to_san(position, move));
  }
  EXPECT_EQ(sans, (std::vector<std::string>{"a8=Q", "a8=R", "a8=B", "a8=N"}));
}

TEST(San, NullMove) {
  EXPECT_EQ(to_san(Position(), {.from = 4, .to = 4, .kind = MoveKind::Null}), "--");
  for (const char* const name : {"--", "0000"}) {
    const auto parsed = parse_san(Position(), name);
    ASSERT_TRUE(parsed.has_value()) << name;
    EXPECT_EQ(parsed->kind, MoveKind::Null) << name;
  }
}

struct Notation {
  const char* fen;
  const char* text;
  const char* san;  // "": refused
};

TEST(ParseSan, AcceptsCommonNotations) {
  constexpr const char* kStandard = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
  // The knights on c3 and e3 and the pawn on e4 can capture on d5.
  constexpr const char* kTakes = "4k3/8/8/3p4/4P3/2N1N3/8/R3K2R w KQ - 0 1";
  constexpr const char* kBishopOrPawn = "4k3/8/8/8/2B5/1pp5/PP6/4K3 w - - 0 1";
  constexpr const char* kPromotes = "3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
  constexpr const char* kEnPassant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
  constexpr const char* kTwoKnights = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
  // Chess960: king and rook stand side by side, so both a step and castling lead to g1.
  constexpr const char* kBeside = "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1";
  const Notation cases[] = {
      {kStandard, "Nf3", "Nf3"},
      {kStandard, "Nf3+", "Nf3"},
      {kStandard, "Nf3#", "Nf3"},
      {kStandard, "Nf3!?", "Nf3"},
      {kStandard, "Nf3+!!", "Nf3"},
      {kStandard, "", ""},
      {kStandard, "+", ""},
      {kStandard, "Nf4", ""},
      {kStandard, "e5", ""},
      {kStandard, "Nb1d2", ""},
      {kStandard, "O-O", ""},
      {kStandard, "xyz", ""},
      {kStandard, "Ke2", ""},
      {kStandard, "e9", ""},
      {kStandard, "nf3", ""},
      {kTwoKnights, "Nd2", ""},
      {kTwoKnights, "Nbd2", "Nbd2"},
      {kStandard, "Ngf3", "Nf3"},
      {kStandard, "N1f3", "Nf3"},
      {kStandard, "Ng1f3", "Nf3"},
      {kStandard, "Ng1-f3", "Nf3"},
      {kStandard, "g1f3", "Nf3"},
      {kStandard, "g1-f3!?", "Nf3"},
      {kStandard, "e2e4", "e4"},
      {kStandard, "e2-e4", "e4"},
      {kStandard, "ee4", "e4"},
      {kStandard, "Nbf3", ""},
      {kStandard, "Ng1xf3", ""},
      {kStandard, "Nxf3", ""},
      {kStandard, "e2xe4", ""},
      {kStandard, "e1e2", ""},
      {kStandard, "2e4", ""},
      {kStandard, "xe4", ""},
      {kStandard, "-e4", ""},
      {kStandard, "Pe4", "e4"},
      {kStandard, "e3e4", ""},
      {kStandard, "e4=Q", ""},
      {kStandard, "e4q", ""},
      {kStandard, "Nf3N", ""},
      {kStandard, "g1f3f3", ""},
      {kStandard, "e", ""},
      {kStandard, "e2", ""},
      {kStandard, "Nf3 ", ""},
      {kStandard, " Nf3", ""},
      {kTakes, "ed5", "exd5"},
      {kTakes, "exd5", "exd5"},
      {kTakes, "e4xd5", "exd5"},
      {kTakes, "e4d5", "exd5"},
      {kTakes, "e4-d5", ""},
      {kTakes, "Ncd5", "Ncxd5"},
      {kTakes, "N3d5", ""},
      {kTakes, "Nd5", ""},
      {kTakes, "Ned5+", "Nexd5"},
      {kTakes, "c3d5", "Ncxd5"},
      {kTakes, "d5", ""},
      {kTakes, "0-0", "O-O"},
      {kTakes, "0-0-0+", "O-O-O"},
      {kTakes, "e1g1", "O-O"},
      {kTakes, "e1c1", "O-O-O"},
      {kTakes, "e1h1", "O-O"},
      {kTakes, "e1a1", "O-O-O"},
      {kTakes, "Kg1", ""},
      {kTakes, "O-0", ""},
      {kTakes, "0-0-0-0", ""},
      // A small letter is a file, a capital letter a piece; after the target, any letter is a
      // piece.
      {kBishopOrPawn, "bxc3", "bxc3"},
      {kBishopOrPawn, "Bxb3", "Bxb3"},
      {kBishopOrPawn, "bc3", "bxc3"},
      {kBishopOrPawn, "Bb3", "Bxb3"},
      {kBishopOrPawn, "axb3", "axb3"},
      {kBishopOrPawn, "b4", ""},
      {kPromotes, "e8=Q", "e8=Q"},
      {kPromotes, "e8Q", "e8=Q"},
      {kPromotes, "e8q+", "e8=Q"},
      {kPromotes, "e8n", "e8=N+"},
      {kPromotes, "e7e8r", "e8=R"},
      {kPromotes, "ed8b", "exd8=B"},
      {kPromotes, "exd8=N", "exd8=N"},
      {kPromotes, "e7d8=n", "exd8=N"},
      {kPromotes, "e8", ""},
      {kPromotes, "e7e8", ""},
      {kPromotes, "e8K", ""},
      {kPromotes, "e8=P", ""},
      {kPromotes, "e8==Q", ""},
      {kPromotes, "e8=", ""},
      {kEnPassant, "exd6", "exd6"},
      {kEnPassant, "ed6", "exd6"},
      {kEnPassant, "e5d6", "exd6"},
      {kEnPassant, "d6", ""},
      {kBeside, "f1g1", "Kg1"},
      {kBeside, "Kg1", "Kg1"},
      {kBeside, "f1h1", "O-O"},
      {kBeside, "0-0", "O-O"},
      {kBeside, "f1c1", "O-O-O"},
      {kBeside, "f1a1", "O-O-O"},
  };
  for (const Notation& test : cases) {
    const Position position = *Position::from_fen(test.fen, CastlingRule::Chess960);
    const auto move = parse_san(position, test.text);
    EXPECT_EQ(move.has_value() ? to_san(position, *move) : "", test.san)
        << test.fen << ' ' << test.text;
  }
}

// No text of one move names another one.
TEST(ParseSan, TextOfOneMoveNeverNamesAnother) {
  Random random(11);
  for (int i = 0; i < 300; ++i) {
    const Position position = *Position::from_fen(tests::random_fen(random));
    for (const Move& move : legal_moves(position)) {
      std::string san = to_san(position, move);
      san.resize(san.find_last_not_of("+#") + 1);
      ASSERT_EQ(parse_san(position, san), move) << position.fen() << ' ' << san;
      std::string squares = {
          static_cast<char>('a' + file_of(move.from)), static_cast<char>('1' + rank_of(move.from)),
          static_cast<char>('a' + file_of(move.to)), static_cast<char>('1' + rank_of(move.to))};
      if (move.promotion != PieceType::None) squares += san.back();
      ASSERT_EQ(parse_san(position, squares), move) << position.fen() << ' ' << squares;
      if (move.kind == MoveKind::Castling) continue;
      std::erase(san, 'x');
      std::erase(san, '=');
      ASSERT_EQ(parse_san(position, san), move) << position.fen() << ' ' << san;
    }
  }
}

TEST(San, EveryLegalMoveHasUniqueName) {
  Random random(4);
  for (const std::string& fen : tests::example_fens()) {
    Position position = *Position::from_fen(fen);
    for (int ply = 0; ply < 30; ++ply) {
      const Move move = tests::random_move(position, random);
      const std::string san = to_san(position, move);
      EXPECT_LE(san.size(), kMaxSanLength);
      const auto parsed = parse_san(position, san);
      ASSERT_TRUE(parsed.has_value()) << position.fen() << ' ' << san;
      EXPECT_EQ(*parsed, move) << position.fen() << ' ' << san;
      position.make(move);
    }
  }
}

}  // namespace
}  // namespace scidfs::codec
