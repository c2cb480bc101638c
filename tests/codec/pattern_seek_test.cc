// Which games come to a pattern of men on the board, and when.
#include "codec/scid/pattern_seek.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/scid/index_signature.h"
#include "codec/scid/main_line.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_encoder.h"
#include "tests/support/scid_files.h"

namespace scidfs::codec::scid {
namespace {

using tests::Random;
using tests::ScidEncoder;

constexpr std::string_view kSquareLetters = "KQRBNPkqrbnpAa_";
constexpr std::size_t kSquares = 64;

// The 64 letters of a board, from a1 on; `_` for nothing.
std::string letters_of(const Position& position) {
  std::string letters(kSquares, '_');
  std::size_t file = 0;
  std::size_t rank = 7;
  for (const char c : position.fen()) {
    if (c == ' ') break;
    if (c == '/') {
      --rank;
      file = 0;
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      file += static_cast<std::size_t>(c - '0');
    } else {
      letters[rank * 8 + file++] = c;
    }
  }
  return letters;
}

bool is_of_kind(char letter, SquareKind kind) {
  if (kind == kAnyWhite) return std::isupper(static_cast<unsigned char>(letter)) != 0;
  if (kind == kAnyBlack) return std::islower(static_cast<unsigned char>(letter)) != 0;
  return letter == kSquareLetters[kind];
}

bool is_true_of(const BoardPattern& pattern, const std::string& board) {
  for (const BoardPattern::Rule& rule : pattern.rules) {
    std::size_t found = 0;
    for (std::size_t square = 0; square < kSquares; ++square) {
      if ((rule.squares >> square & 1) != 0 && is_of_kind(board[square], rule.kind)) ++found;
    }
    if (found < rule.least) return false;
  }
  for (const std::size_t side : {0, 1}) {
    if (!pattern.pawns[side].has_value()) continue;
    for (std::size_t square = 0; square < kSquares; ++square) {
      const bool is_pawn = board[square] == (side == 0 ? 'P' : 'p');
      if (is_pawn != ((*pattern.pawns[side] >> square & 1) != 0)) return false;
    }
  }
  return true;
}

// The first of so many boards on end that a pattern is true of.
std::optional<std::uint32_t> first_of(const BoardPattern& pattern,
                                      const std::vector<std::string>& boards) {
  for (std::size_t first = 0; first + pattern.positions <= boards.size(); ++first) {
    std::size_t length = 0;
    while (length < pattern.positions && is_true_of(pattern, boards[first + length])) ++length;
    if (length == pattern.positions) return static_cast<std::uint32_t>(first);
  }
  return std::nullopt;
}

Bitboard squares(std::string_view names) {
  Bitboard set = 0;
  for (std::size_t i = 0; i + 1 < names.size(); i += 3) {
    set |= bit(make_square(names[i] - 'a', names[i + 1] - '1'));
  }
  return set;
}
BoardPattern::Rule rule(char letter, std::string_view on, std::uint8_t least = 1) {
  return {.squares = squares(on),
          .kind = static_cast<SquareKind>(kSquareLetters.find(letter)),
          .least = least};
}
BoardPattern for_plies(std::uint32_t positions, std::vector<BoardPattern::Rule> rules) {
  return {.rules = std::move(rules), .positions = positions};
}

std::optional<std::uint32_t> seek(const BoardPattern& pattern, const std::string& record,
                                  CastlingRule castling = CastlingRule::Standard) {
  return PatternSeeker(pattern, castling).seek(tests::as_bytes(record));
}

TEST(PatternSeekerTest, FindsTheFirstPosition) {
  struct Example {
    std::string_view name;
    BoardPattern pattern;
    std::optional<std::uint32_t> ply;
  };
  const std::string record =
      ScidEncoder().moves("e4 d5 e5 f5 exf6 Kf7 fxg7 Ke6 gxh8=Q Nf6 Nf3 Bh6 Bc4 a6 O-O").record();
  const std::vector<Example> examples = {
      {"start", for_plies(1, {rule('P', "e2")}), 0},
      {"start for two positions", for_plies(2, {rule('n', "b8")}), 0},
      {"left after one position", for_plies(2, {rule('P', "e2")}), std::nullopt},
      {"moved", for_plies(1, {rule('P', "e4")}), 1},
      {"two positions on end", for_plies(2, {rule('P', "e4")}), 1},
      {"three positions on end", for_plies(3, {rule('P', "e4")}), std::nullopt},
      {"taken en passant", for_plies(1, {rule('_', "f5"), rule('P', "f6")}), 5},
      {"promoted", for_plies(1, {rule('Q', "h8"), rule('_', "g7")}), 9},
      {"two queens", for_plies(1, {rule('Q', "d1 h8", 2)}), 9},
      {"castled", for_plies(1, {rule('K', "g1"), rule('R', "f1"), rule('_', "e1 h1", 2)}), 15},
      {"any white man", for_plies(1, {rule('A', "c4")}), 13},
      {"any black man", for_plies(1, {rule('a', "e6")}), 8},
      {"one of several", for_plies(1, {rule('N', "a3 c3 f3 h3")}), 11},
      {"never", for_plies(1, {rule('N', "d4")}), std::nullopt},
      {"pawns of White",
       {.rules = {}, .pawns = {squares("a2 b2 c2 d2 f2 g2 h2 e5"), std::nullopt}},
       3},
      {"pawns of both",
       {.rules = {}, .pawns = {squares("a2 b2 c2 d2 f2 g2 h2"), squares("a7 b7 c7 e7 h7 d5")}},
       9},
      {"a pawn too few", {.rules = {}, .pawns = {squares("a2 b2"), std::nullopt}}, std::nullopt},
  };
  for (const auto& [name, pattern, ply] : examples) EXPECT_EQ(seek(pattern, record), ply) << name;
}

TEST(PatternSeekerTest, FollowsOnlyTheMainLine) {
  const std::string record = ScidEncoder()
                                 .moves("e4 e5")
                                 .begin_variation()
                                 .moves("c5 Nf3")
                                 .end_variation()
                                 .moves("-- Nc6")
                                 .record();
  EXPECT_EQ(seek(for_plies(1, {rule('p', "c5")}), record), std::nullopt);
  EXPECT_EQ(seek(for_plies(1, {rule('N', "f3")}), record), std::nullopt);
  EXPECT_EQ(seek(for_plies(1, {rule('n', "c6")}), record), 4);
  EXPECT_EQ(seek(for_plies(2, {rule('p', "e5"), rule('n', "b8")}), record), 2);
}

TEST(PatternSeekerTest, FollowsCastlingOfChess960) {
  const std::string record =
      ScidEncoder("bqnrkbrn/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 w GBgd - 0 1", CastlingRule::Chess960)
          .moves("O-O a6")
          .record();
  const BoardPattern castled = for_plies(1, {rule('K', "g1"), rule('R', "f1"), rule('R', "b1")});
  EXPECT_EQ(seek(castled, record, CastlingRule::Chess960), 1);
}

// A pattern with men of a board, as they stand or elsewhere.
BoardPattern random_pattern(Random& random, const std::string& board) {
  BoardPattern pattern;
  const std::size_t rules = random.below(4);
  for (std::size_t i = 0; i < rules; ++i) {
    BoardPattern::Rule& rule = pattern.rules.emplace_back();
    const std::size_t square = random.below(kSquares);
    rule.kind = static_cast<SquareKind>(random.one_in(8) ? random.below(kSquareKinds)
                                                         : kSquareLetters.find(board[square]));
    if (random.one_in(4) && board[square] != '_') {
      rule.kind =
          std::isupper(static_cast<unsigned char>(board[square])) != 0 ? kAnyWhite : kAnyBlack;
    }
    rule.squares = bit(static_cast<Square>(square));
    while (random.one_in(2)) rule.squares |= bit(static_cast<Square>(random.below(kSquares)));
    if (random.one_in(4)) {
      rule.squares |= rank_mask(static_cast<int>(random.below(8)));
      rule.least = static_cast<std::uint8_t>(1 + random.below(3));
    }
  }
  for (const std::size_t side : {0, 1}) {
    if (!random.one_in(3)) continue;
    pattern.pawns[side] = 0;
    for (std::size_t square = 0; square < kSquares; ++square) {
      if (board[square] == (side == 0 ? 'P' : 'p')) {
        *pattern.pawns[side] |= bit(static_cast<Square>(square));
      }
    }
  }
  pattern.positions = static_cast<std::uint32_t>(random.one_in(3) ? 1 + random.below(5) : 1);
  return pattern;
}

// What is found is what the letters of the walk's boards have, in whole and in damaged games; and
// no signature rules out a game that comes to the pattern.
TEST(PatternSeekerTest, AgreesWithLettersOfBoards) {
  Random random(1);
  Walker walker;
  std::size_t found = 0;
  std::size_t missed = 0;
  std::size_t ruled_out = 0;
  std::string elsewhere = letters_of(Position());  // the end of the game before
  for (int i = 0; i < 3000; ++i) {
    const bool is_standard = random.one_in(2);
    std::string record =
        tests::random_game(random, {.plies = random.below(80),
                                    .annotated = random.one_in(3),
                                    .fen = is_standard ? "" : tests::random_fen(random)})
            .record();
    const bool is_damaged = random.one_in(5);
    if (is_damaged) tests::flip_bit(record, random);
    std::vector<ExtraTag> tags;
    RecordHead head;
    const Bytes bytes = tests::as_bytes(record);
    if (parse_record_head(bytes, tags, head).has_value()) continue;
    std::vector<std::string> boards;
    walk_positions(walker, bytes, bytes, head, [&](std::uint32_t, const Position& position) {
      boards.push_back(letters_of(position));
    });
    for (int round = 0; round < 8; ++round) {
      const BoardPattern pattern = random_pattern(
          random, random.one_in(3) ? elsewhere : boards[random.below(boards.size())]);
      const std::optional<std::uint32_t> wanted = first_of(pattern, boards);
      EXPECT_EQ(seek(pattern, record), wanted) << i;
      ++(wanted.has_value() ? found : missed);
      if (is_damaged) continue;
      const IndexSignature marks =
          signature_of(tests::entry_of_facts(tests::facts_of_record(bytes).value()));
      const Judged judged = SignatureFilter::for_pawns(pattern.pawns).judge({&marks, 1});
      EXPECT_EQ(judged.surely, 0U);
      if (wanted.has_value()) {
        EXPECT_EQ(judged.maybe, 1U) << i;
      }
      if (judged.maybe == 0) ++ruled_out;
    }
    elsewhere = boards.back();
  }
  EXPECT_GT(found, 5000U);
  EXPECT_GT(missed, 1000U);
  EXPECT_GT(ruled_out, 100U);
}

}  // namespace
}  // namespace scidfs::codec::scid
