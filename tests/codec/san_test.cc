#include "codec/san.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codec/movegen.h"
#include "tests/support/random_game.h"
#include "tests/support/text.h"

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

struct Notations {
  const char* fen;
  const char* moves;    // TEXT>SAN, with blanks between them
  const char* refused;  // texts of no move
};

TEST(ParseSan, AcceptsCommonNotations) {
  const std::vector<Notations> all = {
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
       "Nf3>Nf3 Nf3+>Nf3 Nf3#>Nf3 Nf3!?>Nf3 Nf3+!!>Nf3 Ngf3>Nf3 N1f3>Nf3 Ng1f3>Nf3 "
       "Ng1-f3>Nf3 g1f3>Nf3 g1-f3!?>Nf3 e2e4>e4 e2-e4>e4 ee4>e4 Pe4>e4",
       "+ Nf4 e5 Nb1d2 O-O xyz Ke2 e9 nf3 Nbf3 Ng1xf3 Nxf3 e2xe4 e1e2 2e4 xe4 -e4 e3e4 "
       "e4=Q e4q Nf3N g1f3f3 e e2"},
      {"4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nbd2>Nbd2", "Nd2"},
      // The knights on c3 and e3 and the pawn on e4 can capture on d5.
      {"4k3/8/8/3p4/4P3/2N1N3/8/R3K2R w KQ - 0 1",
       "ed5>exd5 exd5>exd5 e4xd5>exd5 e4d5>exd5 Ncd5>Ncxd5 Ned5+>Nexd5 c3d5>Ncxd5 0-0>O-O "
       "0-0-0+>O-O-O e1g1>O-O e1c1>O-O-O e1h1>O-O e1a1>O-O-O",
       "e4-d5 N3d5 Nd5 d5 Kg1 O-0 0-0-0-0"},
      // A small letter is a file, a capital letter a piece; after the target, any letter is a
      // piece.
      {"4k3/8/8/8/2B5/1pp5/PP6/4K3 w - - 0 1", "bxc3>bxc3 Bxb3>Bxb3 bc3>bxc3 Bb3>Bxb3 axb3>axb3",
       "b4"},
      {"3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1",
       "e8=Q>e8=Q e8Q>e8=Q e8q+>e8=Q e8n>e8=N+ e7e8r>e8=R ed8b>exd8=B exd8=N>exd8=N "
       "e7d8=n>exd8=N",
       "e8 e7e8 e8K e8=P e8==Q e8="},
      {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6>exd6 ed6>exd6 e5d6>exd6", "d6"},
      // Chess960: king and rook stand side by side, so both a step and castling lead to g1.
      {"4k3/8/8/8/8/8/8/R4K1R w HA - 0 1",
       "f1g1>Kg1 Kg1>Kg1 f1h1>O-O 0-0>O-O f1c1>O-O-O f1a1>O-O-O", ""},
  };
  for (const Notations& notations : all) {
    const Position position = *Position::from_fen(notations.fen, CastlingRule::Chess960);
    for (const std::string& pair : tests::words(notations.moves)) {
      const std::size_t at = pair.find('>');
      const auto move = parse_san(position, pair.substr(0, at));
      EXPECT_EQ(move.has_value() ? to_san(position, *move) : "", pair.substr(at + 1)) << pair;
    }
    std::vector<std::string> refused = tests::words(notations.refused);
    refused.insert(refused.end(), {"", "Nf3 ", " Nf3"});
    for (const std::string& text : refused) {
      EXPECT_FALSE(parse_san(position, text).has_value()) << notations.fen << ' ' << text;
    }
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
