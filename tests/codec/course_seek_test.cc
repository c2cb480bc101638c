// Which games come to a balance of material or to bishops, castle, or end with mate, and when.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/movegen.h"
#include "codec/san.h"
#include "codec/scid/castling_seek.h"
#include "codec/scid/main_line_reader.h"
#include "codec/scid/mate_seek.h"
#include "codec/scid/seek.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

using tests::Random;
using tests::ScidEncoder;
using Way = CastlingTarget::Way;
using Ply = std::optional<std::uint32_t>;

// The main line as far as the walk goes: boards of FENs, and moves in SAN without check marks.
struct Course {
  void start(const Position& position) { add(position); }
  void move(const Position& after, const Move& move) {
    const bool is_null = move.kind == MoveKind::Null;
    sans.push_back(is_null ? "--" : to_san(last, move));
    movers.push_back(last.side_to_move());
    add(after);
  }
  void add(const Position& position) {
    last = position;
    const std::string fen = position.fen();
    boards.push_back(fen.substr(0, fen.find(' ')));
  }

  Position last;
  std::vector<std::string> boards;
  std::vector<std::string> sans;
  std::vector<Color> movers;  // by move
  bool is_whole = false;
};

std::optional<Course> course_of(const std::string& record, CastlingRule rule) {
  MainLineReader reader(rule);
  if (!reader.open(tests::as_bytes(record))) return std::nullopt;
  Course course;
  course.is_whole = !reader.walk(course).has_value();
  return course;
}

int balance_of(const std::string& board) {
  static const std::map<char, int> kValues = {{'P', 1},  {'N', 3},  {'B', 3},  {'R', 5},
                                              {'Q', 9},  {'p', -1}, {'n', -3}, {'b', -3},
                                              {'r', -5}, {'q', -9}};
  int balance = 0;
  for (const char c : board) balance += kValues.contains(c) ? kValues.at(c) : 0;
  return balance;
}

// "light dark": the colors of the squares of bishops, White's first; "" if a side has not one.
std::string bishops_of(const std::string& board) {
  std::string white;
  std::string black;
  std::size_t square = 0;  // from a8 on
  for (const char c : board) {
    if (c == '/') continue;
    const std::string color = (square / 8 + square % 8) % 2 == 0 ? "light" : "dark";
    if (c == 'B') white += white.empty() ? color : "more";
    if (c == 'b') black += black.empty() ? color : "more";
    square +=
        std::isdigit(static_cast<unsigned char>(c)) != 0 ? static_cast<std::size_t>(c - '0') : 1;
  }
  const auto is_one = [](const std::string& colors) {
    return colors == "light" || colors == "dark";
  };
  return is_one(white) && is_one(black) ? white + " " + black : "";
}

template <class IsMet>
Ply first_two(const std::vector<std::string>& boards, const IsMet& is_met) {
  for (std::size_t i = 1; i < boards.size(); ++i) {
    if (is_met(boards[i - 1]) && is_met(boards[i])) return static_cast<std::uint32_t>(i - 1);
  }
  return std::nullopt;
}

struct Castled {
  std::uint32_t ply;
  bool is_long;
};
std::optional<Castled> castling_of(const Course& course, Color side) {
  for (std::size_t i = 0; i < course.sans.size(); ++i) {
    if (course.movers[i] != side || !course.sans[i].starts_with("O-O")) continue;
    return Castled{static_cast<std::uint32_t>(i + 1), course.sans[i].starts_with("O-O-O")};
  }
  return std::nullopt;
}

// A question, and the answer from boards and SAN.
struct Question {
  std::string name;
  std::function<Ply(const std::string& record, CastlingRule rule)> seek;
  std::function<Ply(const Course& course)> expected;
};

Question balance(int least, int most) {
  return {.name = std::to_string(least) + ".." + std::to_string(most),
          .seek =
              [=](const std::string& record, CastlingRule rule) {
                return BalanceSeeker({.least = least, .most = most}, rule)
                    .seek(tests::as_bytes(record));
              },
          .expected =
              [=](const Course& course) {
                return first_two(course.boards, [=](const std::string& board) {
                  return balance_of(board) >= least && balance_of(board) <= most;
                });
              }};
}

Question bishops(BishopsTarget target) {
  const bool are_opposite = target == BishopsTarget::Opposite;
  return {.name = are_opposite ? "opposite bishops" : "same bishops",
          .seek =
              [=](const std::string& record, CastlingRule rule) {
                return BishopsSeeker(target, rule).seek(tests::as_bytes(record));
              },
          .expected =
              [=](const Course& course) {
                return first_two(course.boards, [=](const std::string& board) {
                  const std::string found = bishops_of(board);
                  if (are_opposite) return found == "light dark" || found == "dark light";
                  return found == "light light" || found == "dark dark";
                });
              }};
}

Ply castling_expected(const CastlingTarget& target, const Course& course) {
  if (!target.side.has_value()) {
    const std::optional<Castled> white = castling_of(course, Color::White);
    const std::optional<Castled> black = castling_of(course, Color::Black);
    if (!white.has_value() || !black.has_value()) return std::nullopt;
    if ((white->is_long == black->is_long) != (target.way == Way::Same)) return std::nullopt;
    return std::max(white->ply, black->ply);
  }
  const std::optional<Castled> castled = castling_of(course, *target.side);
  if (target.way == Way::No) {
    if (castled.has_value() || !course.is_whole) return std::nullopt;
    return static_cast<std::uint32_t>(course.sans.size());
  }
  if (!castled.has_value() || castled->is_long != (target.way == Way::Long)) return std::nullopt;
  return castled->ply;
}

Question castling(const CastlingTarget& target) {
  static const std::vector<std::string> kWays = {"short", "long", "no", "opposite", "same"};
  const std::string side = !target.side.has_value()       ? "both "
                           : *target.side == Color::White ? "White "
                                                          : "Black ";
  return {.name = side + kWays.at(static_cast<std::size_t>(target.way)),
          .seek =
              [=](const std::string& record, CastlingRule rule) {
                return CastlingSeeker(target, rule).seek(tests::as_bytes(record));
              },
          .expected = [=](const Course& course) { return castling_expected(target, course); }};
}

// The letter of the man that a move in SAN moves; a pawn's too.
char letter_of(const std::string& san) {
  if (san == "--") return '-';
  if (san.starts_with("O-O")) return 'K';
  return std::isupper(static_cast<unsigned char>(san[0])) != 0 ? san[0] : 'P';
}

Question mate(char letter, PieceType man) {
  const auto expected = [=](const Course& course) -> Ply {
    if (!course.is_whole || !legal_moves(course.last).empty()) return std::nullopt;
    const Color side = course.last.side_to_move();
    const bool is_mate =
        course.last.attackers(course.last.king(side), ~side, course.last.occupied()) != 0;
    if (is_mate != (man != PieceType::None)) return std::nullopt;
    if (is_mate && (course.sans.empty() || letter_of(course.sans.back()) != letter)) {
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(course.sans.size());
  };
  return {.name = std::string("mate by ") + letter,
          .seek =
              [=](const std::string& record, CastlingRule rule) {
                return MateSeeker({.man = man}, rule).seek(tests::as_bytes(record));
              },
          .expected = expected};
}

std::vector<Question> questions() {
  std::vector<Question> all;
  for (const auto& [least, most] : std::vector<std::pair<int, int>>{
           {0, 0}, {1, 1}, {3, 135}, {-135, -3}, {-1, 2}, {9, 9}, {-6, -5}, {20, 135}}) {
    all.push_back(balance(least, most));
  }
  for (const auto target : {BishopsTarget::Opposite, BishopsTarget::Same}) {
    all.push_back(bishops(target));
  }
  for (const Color side : {Color::White, Color::Black}) {
    for (const Way way : {Way::Short, Way::Long, Way::No}) all.push_back(castling({way, side}));
  }
  for (const Way way : {Way::Opposite, Way::Same}) all.push_back(castling({way, {}}));
  constexpr std::string_view kLetters = "KQRBNP-";  // as in PieceType
  for (std::size_t i = 0; i < kLetters.size(); ++i) {
    all.push_back(mate(kLetters[i], static_cast<PieceType>(i)));
  }
  return all;
}

TEST(CourseSeekTest, AnswersForExamples) {
  struct Example {
    Question question;
    std::string_view fen;  // empty: the standard position
    std::string_view moves;
    Ply ply;
  };
  constexpr std::string_view kRooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  const Question stalemate = mate('-', PieceType::None);
  const Question by_king = mate('K', PieceType::King);
  const Question by_queen = mate('Q', PieceType::Queen);
  const Question by_pawn = mate('P', PieceType::Pawn);
  const std::vector<Example> examples = {
      {balance(0, 0), "", "e4", 0},
      {balance(0, 0), "", "", std::nullopt},  // one position
      {balance(1, 1), "", "e4 d5 exd5 Qxd5", std::nullopt},
      {balance(1, 1), "", "e4 d5 exd5 Nf6", 3},
      {balance(-1, 0), "4k3/8/8/8/8/5p2/6Q1/5K2 b - - 0 1", "fxg2+ Kxg2", 1},  // two values
      {balance(-1, -1), "4k3/8/8/8/8/5p2/6Q1/5K2 b - - 0 1", "fxg2+ Kxg2", std::nullopt},
      {balance(8, 8), "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+ Kd7", std::nullopt},
      {balance(9, 9), "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q+ Kd7", 1},
      {balance(135, 135), "QQQQQQQQ/QQQQQQQK/8/8/8/8/8/2k5 b - - 0 1", "-- --", 0},
      {balance(-135, -135), "qqqqqqqq/qqqqqqqk/8/8/8/8/8/2K5 w - - 0 1", "-- --", 0},
      {bishops(BishopsTarget::Opposite), "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "Kd2", 0},
      {bishops(BishopsTarget::Same), "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", "Kd2", std::nullopt},
      {bishops(BishopsTarget::Same), "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", "-- --", 0},
      {bishops(BishopsTarget::Same), "4kb2/8/8/8/8/8/8/2B1KB2 w - - 0 1", "-- --", std::nullopt},
      {castling({Way::Short, Color::White}), kRooks, "O-O O-O-O Ra2", 1},
      {castling({Way::Long, Color::Black}), kRooks, "O-O O-O-O Ra2", 2},
      {castling({Way::Opposite, {}}), kRooks, "O-O O-O-O Ra2", 2},
      {castling({Way::Same, {}}), kRooks, "O-O O-O-O Ra2", std::nullopt},
      {castling({Way::Same, {}}), kRooks, "O-O-O Ke7", std::nullopt},
      {castling({Way::No, Color::Black}), kRooks, "O-O-O Ke7 Kb1", 3},
      {castling({Way::No, Color::White}), kRooks, "O-O-O Ke7", std::nullopt},
      {castling({Way::No, Color::White}), kRooks, "", 0},
      {by_queen, "", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#", 7},
      {by_queen, "", "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7# --", std::nullopt},
      {by_queen, "", "e4 e5 Qh5 Nc6 Qxf7+", std::nullopt},
      {by_queen, "", "f3 e5 g4 Qh4#", 4},
      {by_queen, "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", "Qg8#", 1},
      {by_queen, "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", "Qg8# -- --", std::nullopt},
      {by_queen, "k1Q5/8/K7/8/8/8/8/8 b - - 0 1", "", std::nullopt},
      {stalemate, "k7/8/1Q6/8/8/8/8/K7 b - - 0 1", "", 0},
      {stalemate, "k7/8/8/8/8/8/8/KQ6 w - - 0 1", "Qb6", 1},
      {stalemate, "k7/8/8/8/8/8/8/KQ6 w - - 0 1", "Qb6 -- --", 3},
      {stalemate, "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1", "", 0},
      {stalemate, "kn5R/8/1K6/8/8/8/8/8 b - - 0 1", "", 0},  // the knight is pinned
      {stalemate, "kn5R/8/1K6/8/8/6p1/6P1/8 b - - 0 1", "", 0},
      {stalemate, "kn5R/8/1K6/8/8/6p1/8/8 b - - 0 1", "", std::nullopt},
      {stalemate, "kn5R/8/1K6/8/8/8/6p1/8 b - - 0 1", "", std::nullopt},    // on the king's line
      {stalemate, "kn5R/8/1K6/8/8/6p1/6PP/8 b - - 0 1", "", std::nullopt},  // only a capture
      // A man that could only take the king has no move.
      {stalemate, "k7/8/1Q6/8/6p1/5KP1/7n/5p2 b - - 0 1", "", 0},
      {by_king, "3k4/2R1R3/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O#", 1},
      {by_king, "3k4/2R5/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+", std::nullopt},
      {by_king, "k7/8/K7/8/8/8/7B/R7 w - - 0 1", "Kb6#", 1},
      {by_king, "k7/8/K7/8/8/8/8/R7 w - - 0 1", "Kb6+", std::nullopt},
      {by_pawn, "k7/7P/1K6/8/8/8/8/8 w - - 0 1", "h8=Q#", 1},
      {by_queen, "k7/7P/1K6/8/8/8/8/8 w - - 0 1", "h8=Q#", std::nullopt},
  };
  for (const auto& [question, fen, moves, ply] : examples) {
    ScidEncoder game = fen.empty() ? ScidEncoder() : ScidEncoder(fen);
    if (!moves.empty()) game.moves(moves);
    const std::string record = game.record();
    EXPECT_EQ(question.seek(record, CastlingRule::Standard), ply)
        << question.name << ": " << fen << ' ' << moves;
    const std::optional<Course> course = course_of(record, CastlingRule::Standard);
    ASSERT_TRUE(course.has_value()) << fen;
    EXPECT_EQ(question.expected(*course), ply) << question.name << ": " << fen << ' ' << moves;
  }
}

// Scid lets a king castle without a right, and so again.
TEST(CourseSeekTest, FirstCastlingCounts) {
  ScidEncoder game("r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1");
  game.moves("O-O Ra7 Kf2 Rb7 Ke1 Ra7");
  game.move({.from = 4, .to = 2, .piece = PieceType::King, .kind = MoveKind::Castling});
  game.moves("Ra8 Kb1");
  game.move({.from = 60, .to = 58, .piece = PieceType::King, .kind = MoveKind::Castling});
  const std::string record = game.record();
  ASSERT_TRUE(course_of(record, CastlingRule::Standard)->is_whole);
  const auto castled = [&](const CastlingTarget& target) {
    return castling(target).seek(record, CastlingRule::Standard);
  };
  EXPECT_EQ(castled({Way::Short, Color::White}), 1);
  EXPECT_EQ(castled({Way::Long, Color::White}), std::nullopt);
  EXPECT_EQ(castled({Way::No, Color::White}), std::nullopt);
  EXPECT_EQ(castled({Way::Opposite, {}}), 10);
  EXPECT_EQ(castled({Way::Same, {}}), std::nullopt);
}

TEST(CourseSeekTest, FollowsOnlyTheMainLine) {
  ScidEncoder game("r3k2r/3p4/8/8/8/8/3P4/R3K2R w KQkq - 0 1");
  game.moves("O-O").begin_variation().moves("O-O-O O-O d4").end_variation().moves("Ra7");
  game.begin_variation().moves("Rxa1 d4 Ke7").end_variation();
  const std::string record = game.record();
  for (const auto& [question, ply] :
       std::vector<std::pair<Question, Ply>>{{castling({Way::Short, Color::White}), 1},
                                             {castling({Way::Long, Color::White}), std::nullopt},
                                             {castling({Way::No, Color::Black}), 2},
                                             {castling({Way::Opposite, {}}), std::nullopt},
                                             {balance(-9, -1), std::nullopt}}) {
    EXPECT_EQ(question.seek(record, CastlingRule::Standard), ply) << question.name;
  }
  const std::string mated = ScidEncoder("k7/8/1K6/8/8/8/8/6QR w - - 0 1")
                                .moves("Qg8#")
                                .begin_variation()
                                .moves("Rh8#")
                                .end_variation()
                                .record();
  EXPECT_EQ(mate('Q', PieceType::Queen).seek(mated, CastlingRule::Standard), 1);
  EXPECT_EQ(mate('R', PieceType::Rook).seek(mated, CastlingRule::Standard), std::nullopt);
}

// Games of the standard position and of others, with few men or many; some are damaged.
TEST(CourseSeekTest, AgreesWithBoardsAndMoves) {
  Random random(1);
  const std::vector<Question> all = questions();
  std::map<std::string, std::size_t> met;
  std::size_t damaged = 0;
  for (int i = 0; i < 2500; ++i) {
    tests::RandomGameOptions options{
        .plies = random.below(120), .annotated = random.one_in(3), .eventful = true};
    if (!random.one_in(3)) options.fen = tests::random_fen(random, random.below(8));
    if (random.one_in(8)) options.fen = "r3k2r/ppp2ppp/8/8/8/8/PPP2PPP/R3K2R w KQkq - 0 1";
    std::string record = tests::random_game(random, options).record();
    if (random.one_in(5)) tests::flip_bit(record, random);
    const std::optional<Course> course = course_of(record, CastlingRule::Standard);
    if (!course.has_value()) continue;
    damaged += course->is_whole ? 0 : 1;
    for (const Question& question : all) {
      const Ply expected = question.expected(*course);
      EXPECT_EQ(question.seek(record, CastlingRule::Standard), expected)
          << question.name << " in game " << i;
      met[question.name] += expected.has_value() ? 1 : 0;
    }
  }
  EXPECT_GT(damaged, 200U);
  for (const Question& question : all) EXPECT_GT(met[question.name], 10U) << question.name;
}

TEST(CourseSeekTest, AgreesInChess960) {
  const tests::ScidDatabase database(tests::test_data("scid5/chess960"), ".si5");
  std::map<std::string, std::size_t> met;
  for (std::uint32_t game = 0; game < database.games(); ++game) {
    const Bytes bytes = database.record(game).value();
    const std::string record(bytes.begin(), bytes.end());
    const std::optional<Course> course = course_of(record, CastlingRule::Chess960);
    ASSERT_TRUE(course.has_value());
    for (const Question& question : questions()) {
      const Ply expected = question.expected(*course);
      EXPECT_EQ(question.seek(record, CastlingRule::Chess960), expected) << question.name;
      met[question.name] += expected.has_value() ? 1 : 0;
    }
  }
  EXPECT_GT(met["White short"], 0U);
}

}  // namespace
}  // namespace scidfs::codec::scid
