// Keys and moves of Polyglot books: http://hgm.nubati.net/book_format.html.
#include "codec/polyglot_key.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "codec/san.h"
#include "tests/support/random_game.h"

namespace scidfs::codec {
namespace {

Position from_fen(const std::string& fen) {
  const absl::StatusOr<Position> position = Position::from_fen(fen, CastlingRule::Chess960);
  EXPECT_TRUE(position.ok()) << fen;
  return position.value_or(Position());
}

std::string hex(std::uint64_t key) { return fmt::format("{:016x}", key); }

// The keys that the page lists.
TEST(PolyglotKey, ArePublished) {
  struct Published {
    const char* fen;
    const char* key;
  };
  constexpr std::array<Published, 9> kPublished = {{
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "463b96181691fc9c"},
      {"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "823c9b50fd114196"},
      {"rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", "0756b94461c50fb0"},
      {"rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", "662fafb965db29d4"},
      {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "22a48b5a8e47ff78"},
      {"rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", "652a607ca3f242c1"},
      {"rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", "00fdd303c946bdd9"},
      {"rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", "3c8123ea7b067637"},
      {"rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", "5c3f9b829b279560"},
  }};
  for (const Published& position : kPublished) {
    EXPECT_EQ(hex(polyglot_key(from_fen(position.fen))), position.key) << position.fen;
  }
}

// Pawns on the other edge of the board are not beside each other, though their squares are.
TEST(PolyglotKey, HasEnPassantOnlyBesideAPawn) {
  const auto differs = [](const std::string& board, const std::string& square) {
    return polyglot_key(from_fen(board + " b - " + square)) !=
           polyglot_key(from_fen(board + " b - -"));
  };
  EXPECT_TRUE(differs("4k3/8/8/8/pP6/8/8/4K3", "b3"));
  EXPECT_TRUE(differs("4k3/8/8/8/1Pp5/8/8/4K3", "b3"));
  EXPECT_TRUE(differs("4k3/8/8/8/Pp6/8/8/4K3", "a3"));
  EXPECT_TRUE(differs("4k3/8/8/8/6pP/8/8/4K3", "h3"));
  EXPECT_FALSE(differs("4k3/8/8/8/1P6/8/8/4K3", "b3"));
  EXPECT_FALSE(differs("4k3/8/8/8/1Pn5/8/8/4K3", "b3"));
  EXPECT_FALSE(differs("4k3/8/8/8/1PP5/8/8/4K3", "b3"));
  EXPECT_FALSE(differs("4k3/8/8/8/P7/7p/8/4K3", "a3"));
  EXPECT_FALSE(differs("4k3/8/8/p7/7P/8/8/4K3", "h3"));
}

TEST(PolyglotKey, FollowsMoves) {
  tests::Random random(1);
  std::set<std::uint64_t> keys;
  for (const std::string& fen : tests::example_fens()) {
    for (int game = 0; game < 20; ++game) {
      Position position = from_fen(fen);
      PolyglotKey key(position);
      for (int ply = 0; ply < 100; ++ply) {
        const Move move = tests::random_move(position, random);
        position.make(move);
        key.follow(position, move);
        ASSERT_EQ(key.value(position), polyglot_key(position)) << position.fen();
        ASSERT_EQ(key.value(position), polyglot_key(from_fen(position.fen()))) << position.fen();
        keys.insert(key.value(position));
      }
    }
  }
  EXPECT_GT(keys.size(), 5000U);
}

TEST(PolyglotMove, NamesSquaresAndPromotion) {
  struct Case {
    const char* fen;
    const char* san;
    unsigned number;
  };
  constexpr auto kNumber = [](std::string_view from, std::string_view to, unsigned promotion) {
    const auto square = [](std::string_view name) {
      return static_cast<unsigned>(8 * (name[1] - '1') + name[0] - 'a');
    };
    return promotion << 12 | square(from) << 6 | square(to);
  };
  const std::array<Case, 12> cases = {{
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4", 0x031C},
      {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Nf3", kNumber("g1", "f3", 0)},
      {"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", kNumber("e5", "d6", 0)},
      {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O", kNumber("e1", "h1", 0)},
      {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O", kNumber("e1", "a1", 0)},
      {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O", kNumber("e8", "h8", 0)},
      {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "O-O-O", kNumber("e8", "a8", 0)},
      {"4k3/8/8/8/8/8/8/1RK3R1 w GB - 0 1", "O-O", kNumber("c1", "g1", 0)},
      {"1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1", "a8=Q", kNumber("a7", "a8", 4)},
      {"1n2k3/P7/8/8/8/8/p7/1N2K3 w - - 0 1", "axb8=R", kNumber("a7", "b8", 3)},
      {"1n2k3/P7/8/8/8/8/p7/1N2K3 b - - 0 1", "a1=B", kNumber("a2", "a1", 2)},
      {"1n2k3/P7/8/8/8/8/p7/1N2K3 b - - 0 1", "axb1=N", kNumber("a2", "b1", 1)},
  }};
  for (const Case& test : cases) {
    const Position position = from_fen(test.fen);
    const std::optional<Move> move = parse_san(position, test.san);
    ASSERT_TRUE(move.has_value()) << test.fen << ' ' << test.san;
    EXPECT_EQ(polyglot_move(*move, position.side_to_move(), position.castling_homes()), test.number)
        << test.fen << ' ' << test.san;
  }
}

}  // namespace
}  // namespace scidfs::codec
