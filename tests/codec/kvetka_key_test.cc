// Keys and move codes: codec/kvetka/FORMAT.md, sections 4 and 5.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "codec/kvetka/key.h"
#include "codec/kvetka/moves.h"
#include "codec/san.h"
#include "tests/support/random_game.h"

namespace scidfs::codec::kvetka {
namespace {

using ::testing::ElementsAre;

Position from_fen(const std::string& fen) {
  const absl::StatusOr<Position> position = Position::from_fen(fen);
  EXPECT_TRUE(position.ok()) << fen;
  return position.value_or(Position());
}

// Plays moves in SAN; calls `before_each` with each position before its move.
template <class BeforeEach>
Position play(const std::string& line, const BeforeEach& before_each) {
  Position position;
  std::istringstream words(line);
  for (std::string san; words >> san;) {
    const std::optional<Move> move = parse_san(position, san);
    if (!move.has_value()) {
      ADD_FAILURE() << san << " is no move in " << position.fen();
      break;
    }
    before_each(position, *move);
    position.make(*move);
  }
  return position;
}
Position play(const std::string& line) {
  return play(line, [](const Position&, const Move&) {});
}

std::string hex(const Position& position) {
  const std::optional<Key> key = key_of(position);
  return key.has_value() ? key_to_hex(*key) : "none";
}

// Returns the codes of a line, each decoded again on the board that the key gives.
std::vector<std::string> codes(const std::string& line) {
  std::vector<std::string> codes;
  play(line, [&](const Position& position, const Move& move) {
    const Turning turning = turning_of(position);
    const std::optional<std::uint8_t> code = encode_move(position, turning, move);
    codes.push_back(code.has_value() ? fmt::format("{:02X}", *code) : "none");
    if (!code.has_value()) return;
    const std::optional<Position> normalised = position_of(*key_of(position));
    ASSERT_TRUE(normalised.has_value());
    const std::optional<Move> decoded = MoveDecoder(*normalised).decode(*code);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(turning.apply(*decoded), move);
  });
  return codes;
}

struct Vector {
  std::string_view line, normalised, key;
};
// Section 4.3.
constexpr std::array<Vector, 13> kVectors = {{
    {"", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
     "b60f7960f3a60f58b078e0c1e1a60f5960f3b60f70f0"},
    {"e4", "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
     "b60f7960f3a60f58b078e0c721a60f5960f3b60f70f0"},
    {"e4 c5", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
     "b60f7960f3a63958b078e031e1a60f5960f3b60f70f0"},
    {"d4", "rnbqkbnr/ppp1pppp/8/3p4/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
     "b60f7960f3a60f58b1c8e0c1e1a60f5960f3b60f70f0"},
    {"e4 e5 Nf3 Nc6 Bb5 a6", "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq -",
     "b61d79628ea613f58b078e03721690f560f3b60f70f0"},
    {"Nf3 Nf6 Ng1 Ng8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
     "b60f7960f3a60f58b078e0c1e1a60f5960f3b60f70f0"},
    {"e4 Nf6 e5 d5", "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6",
     "b60f7960f3a60f58b1c8e019e1a613f5960eb60f74f0"},
    {"e4 d5 e5 f5", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6",
     "b60f7960f3a60f58b1c8e019e1a6395960f3b60f76f0"},
    {"Nf3 d5 Ng1 d4 e4", "rnbqkbnr/pppp1ppp/8/3Pp3/8/8/PPP1PPPP/RNBQKBNR w KQkq e6",
     "b60f7960f3a60f588678e0c721a60f5960f3b60f75f0"},
    {"e4 e5 Ke2", "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQ -",
     "b60f7960f3a60f58b078e03742a60f5960f3b60f7030"},
    {"e4 e5 Ke2 Ke7", "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w - -",
     "b60f7960f3a60f58b078d03742a60f5960f3b60f7000"},
    {"d4 d5 Kd2 Kd7", "rnb1qbnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNB1QBNR w - -",
     "b60f7960f3a60f560e8a06e863a60f5960f3b60f7000"},
    {"d4 d5 Kd2 Kd7 Kc3 e5 e3 e4 f4", "rnb1qbnr/pp3ppp/3p1k2/2pPp3/4P3/8/PPP1KPPP/RNB1QBNR w - c6",
     "b60f7960f3a63950dc8a06e474c21f5960f3b60f7300"},
}};

TEST(KvetkaKey, MatchesExamplesOfTheFormat) {
  for (const Vector& vector : kVectors) {
    const Position position = play(std::string(vector.line));
    EXPECT_EQ(hex(position), vector.key) << vector.line;
    const std::optional<Position> normalised = position_of(key_of(position).value_or(Key{}));
    ASSERT_TRUE(normalised.has_value()) << vector.line;
    EXPECT_EQ(short_fen(*normalised), vector.normalised) << vector.line;
  }
}

TEST(KvetkaKey, HasEnPassantOnlyWithPawnBesideAdvancedPawn) {
  // No pawn beside it, a pawn beside it on the wrong rank, and no pawn that has advanced.
  EXPECT_EQ(hex(from_fen("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1")),
            hex(from_fen("4k3/8/8/3p4/8/8/8/4K3 w - - 0 1")));
  EXPECT_EQ(hex(from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - d6 0 1")),
            hex(from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")));
  EXPECT_EQ(hex(from_fen("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1")),
            hex(from_fen("4k3/8/8/4P3/8/8/8/4K3 w - - 0 1")));
  // A pinned pawn counts.
  EXPECT_NE(hex(from_fen("4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 1")),
            hex(from_fen("4k3/8/8/r2pP2K/8/8/8/8 w - - 0 1")));
}

TEST(KvetkaKey, IsTheSameForMirroredAndFlippedPositions) {
  const std::string key = hex(from_fen("8/2k5/8/1p6/4P3/8/2K5/R7 w - - 0 1"));
  EXPECT_EQ(hex(from_fen("8/5k2/8/6p1/3P4/8/5K2/7R w - - 0 1")), key);
  EXPECT_EQ(hex(from_fen("r7/2k5/8/4p3/1P6/8/2K5/8 b - - 0 1")), key);
  EXPECT_EQ(hex(from_fen("7r/5k2/8/3p4/6P1/8/5K2/8 b - - 0 1")), key);
}

TEST(KvetkaKey, DoesNotExistForTooManyQueens) {
  EXPECT_EQ(hex(from_fen("qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1")), "none");
}

TEST(KvetkaKey, DoesNotExistForChess960CastlingRights) {
  const auto hex960 = [](const std::string& fen) {
    const auto position = Position::from_fen(fen, CastlingRule::Chess960);
    return position.ok() ? hex(*position) : "no position";
  };
  EXPECT_EQ(hex960("1r2kr2/8/8/8/8/8/8/1R2KR2 w KQkq - 0 1"), "none");
  // One side or one rook elsewhere is enough.
  EXPECT_EQ(hex960("r3k2r/8/8/8/8/8/8/1R2K2R w Qkq - 0 1"), "none");
  EXPECT_EQ(hex960("r3k1r1/8/8/8/8/8/8/R3K2R b Qk - 0 1"), "none");
  // The rights decide and not the pieces: without rights all is as in chess.
  for (const std::string fen :
       {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k1r1/8/8/8/8/8/8/1R2K2R w Kq - 0 1", "1r2kr2/8/8/8/8/8/8/1R2KR2 b - - 0 1",
        "nrkbbnqr/8/8/8/8/8/8/NRKBBNQR b - - 0 1"}) {
    EXPECT_EQ(hex960(fen), hex(from_fen(fen))) << fen;
    EXPECT_NE(hex960(fen), "none") << fen;
  }
}

TEST(KvetkaKey, DecodingRefusesInvalidKeys) {
  EXPECT_FALSE(position_of(Key{}).has_value());  // no kings
  Key key = *key_of(Position());
  key.back() |= 1;  // padding
  EXPECT_FALSE(position_of(key).has_value());
  key = *key_of(Position());
  key[20] |= 0x0F;  // en passant on a ninth file
  EXPECT_FALSE(position_of(key).has_value());
  key.fill(0xFF);
  EXPECT_FALSE(position_of(key).has_value());
}

// In random games and positions, a key gives the normalized position and the reverse, and every
// legal move has a code that gives it, or no code for a known reason.
TEST(KvetkaKey, RandomPositionsAndMovesSurviveRoundTrip) {
  tests::Random random(7);
  std::size_t coded = 0;
  for (int game = 0; game < 300; ++game) {
    Position position =
        game % 3 == 0 ? from_fen(tests::random_fen(random)) : from_fen(tests::example_fens()[0]);
    for (int ply = 0; ply < 80; ++ply) {
      const Turning turning = turning_of(position);
      const std::optional<Key> key = key_of(position);
      if (!key.has_value()) break;
      const std::optional<Position> normalised = position_of(*key);
      ASSERT_TRUE(normalised.has_value()) << position.fen();
      EXPECT_EQ(turning_of(*normalised), Turning{}) << position.fen();
      EXPECT_EQ(key_of(*normalised), key) << position.fen();
      const MoveDecoder decoder(*normalised);
      std::vector<std::uint8_t> seen;
      for (const Move& move : legal_moves(position)) {
        const std::optional<std::uint8_t> code = encode_move(position, turning, move);
        if (!code.has_value()) continue;
        const std::optional<Move> decoded = decoder.decode(*code);
        ASSERT_TRUE(decoded.has_value()) << position.fen() << " " << to_san(position, move);
        EXPECT_EQ(turning.apply(*decoded), move) << position.fen();
        EXPECT_EQ(std::ranges::count(seen, *code), 0) << position.fen();
        seen.push_back(*code);
        ++coded;
      }
      if (!has_legal_move(position)) break;
      position.make(tests::random_move(position, random));
    }
  }
  EXPECT_GT(coded, 100'000U);
}

TEST(KvetkaMoves, MatchExamplesOfTheFormat) {
  EXPECT_THAT(codes("e4"), ElementsAre("11"));
  EXPECT_THAT(codes("d4"), ElementsAre("0D"));
  EXPECT_THAT(codes("a3"), ElementsAre("00"));
  EXPECT_THAT(codes("h4"), ElementsAre("1D"));
  EXPECT_THAT(codes("Nf3"), ElementsAre("29"));
  EXPECT_THAT(codes("Nc3"), ElementsAre("20"));
  EXPECT_THAT(codes("e4 c5"), ElementsAre("11", "09"));
  EXPECT_THAT(codes("e4 e5 Nf3 Nc6 Bb5 a6 O-O"),
              ElementsAre("11", "11", "29", "20", "41", "00", "C4"));
  EXPECT_THAT(codes("e4 d5 exd5 Qxd5 Nc3 Qa5"), ElementsAre("11", "0D", "13", "6A", "20", "73"));
  EXPECT_THAT(codes("d4 d5 Nc3 Nc6 Bf4 Bf5 Qd2 Qd7 O-O-O O-O-O"),
              ElementsAre("0D", "0D", "20", "20", "32", "32", "68", "68", "C5", "C5"));
  EXPECT_THAT(codes("e4 Nf6 e5 d5 exd6"), ElementsAre("11", "29", "10", "0D", "13"));
  EXPECT_THAT(codes("d4 d5 Kd2 Kd7 Kc3"), ElementsAre("0D", "0D", "BE", "BE", "BD"));
}

std::string code_in(const std::string& fen, const std::string& san) {
  const Position position = from_fen(fen);
  const std::optional<Move> move = parse_san(position, san);
  EXPECT_TRUE(move.has_value()) << san;
  const auto code = encode_move(position, turning_of(position), move.value_or(Move{}));
  return code.has_value() ? fmt::format("{:02X}", *code) : "none";
}

std::string move_in(const std::string& fen, std::uint8_t code) {
  const Position position = from_fen(fen);
  EXPECT_EQ(turning_of(position), Turning{}) << fen;
  const std::optional<Move> move = MoveDecoder(position).decode(code);
  return move.has_value() ? to_san(position, *move) : "none";
}

TEST(KvetkaMoves, RedundantDiagonalCodesDecodeToTheSameMoves) {
  EXPECT_EQ(code_in("7k/8/8/8/B7/8/8/6K1 w - - 0 1", "Be8"), "33");
  EXPECT_EQ(code_in("7k/8/8/8/8/8/4B3/6K1 w - - 0 1", "Ba6"), "33");
  EXPECT_EQ(code_in("7k/8/8/8/8/8/4Q3/6K1 w - - 0 1", "Qa6"), "79");
  EXPECT_EQ(move_in("7k/8/8/8/8/8/4B3/6K1 w - - 0 1", 0x3A), "Ba6");
  EXPECT_EQ(move_in("7k/8/8/8/8/8/4B3/2B3K1 w - - 0 1", 0x48), "Ba6");
  EXPECT_EQ(move_in("7k/8/8/8/8/8/4Q3/6K1 w - - 0 1", 0x80), "Qa6");
}

TEST(KvetkaMoves, SomeMovesHaveNoCode) {
  const std::string fen = "k7/4P3/8/8/8/8/8/K7 w - - 0 1";
  EXPECT_EQ(code_in(fen, "e8=Q+"), "00");
  EXPECT_EQ(code_in(fen, "e8=N"), "none");
  EXPECT_EQ(code_in("7k/8/8/8/8/8/N1N1N3/6K1 w - - 0 1", "Nf4"), "none");
  for (unsigned code = 0xC6; code <= 0xFF; ++code) {
    EXPECT_EQ(move_in("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                      static_cast<std::uint8_t>(code)),
              "none");
  }
}

}  // namespace
}  // namespace scidfs::codec::kvetka
