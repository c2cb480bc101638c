// Seekers: which games reach a position, material or a line, and at which ply.
#include "codec/scid/seek.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "codec/san.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_encoder.h"

namespace scidfs::codec::scid {
namespace {

using tests::ScidEncoder;

std::string game_of(std::string_view sans) { return ScidEncoder().moves(sans).record(); }

// "ply san", "ply" if no move follows, "" if the game does not reach the position.
std::string reached(std::string_view name, const std::string& record,
                    CastlingRule rule = CastlingRule::Standard) {
  const TargetPosition target = parse_position_name(name).value();
  const std::optional<Reached> found = PositionSeeker(target, rule).seek(tests::as_bytes(record));
  if (!found.has_value()) return "";
  std::string text = std::to_string(found->ply);
  if (found->next.has_value()) text += " " + to_san(target.position, *found->next);
  return text;
}

constexpr std::string_view kStart = "rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w";
constexpr std::string_view kAfterE4C5 = "rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w";

TEST(PositionSeekerTest, FindsPositionsOfGame) {
  EXPECT_EQ(reached(kAfterE4C5, game_of("e4 c5 Nf3 d6")), "2 Nf3");
  EXPECT_EQ(reached(kAfterE4C5, game_of("e4 c5")), "2");
  EXPECT_EQ(reached(kAfterE4C5, game_of("e4 e5 Nf3")), "");
  EXPECT_EQ(reached(kAfterE4C5, game_of("e4")), "");
  EXPECT_EQ(reached(kAfterE4C5, game_of("")), "");
  EXPECT_EQ(reached(kStart, game_of("e4 c5")), "0 e4");
  EXPECT_EQ(reached(kStart, game_of("")), "0");
}

TEST(PositionSeekerTest, FindsTranspositions) {
  // The same position one ply later with White to move, and with Black to move.
  EXPECT_EQ(reached(kAfterE4C5, game_of("e3 c6 e4 c5 d4")), "4 d4");
  EXPECT_EQ(reached(kAfterE4C5, game_of("e3 c5 e4 Nf6")), "");
  EXPECT_EQ(reached("rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_b", game_of("e3 c5 e4 Nf6")),
            "3 Nf6");
}

TEST(PositionSeekerTest, ReportsFirstOccurrence) {
  const std::string record = game_of("e4 c5 Nf3 Nf6 Ng1 Ng8 d4 cxd4");
  EXPECT_EQ(reached(kAfterE4C5, record), "2 Nf3");
  EXPECT_EQ(reached(kStart, game_of("Nf3 Nf6 Ng1 Ng8 e4")), "0 Nf3");
}

TEST(PositionSeekerTest, ComparesRightsOnlyIfNamed) {
  // The king moves out and back: the same pieces at plies 4 and 8.
  const std::string record = game_of("e4 e5 Nf3 Nc6 Ke2 Ke7 Ke1 Ke8 d4");
  constexpr std::string_view kName = "r1bqkbnr-pppp1ppp-2n5-4p3-4P3-5N2-PPPP1PPP-RNBQKB1R_w";
  EXPECT_EQ(reached(kName, record), "4 Ke2");
  EXPECT_EQ(reached(std::string(kName) + "_KQkq_-", record), "4 Ke2");
  EXPECT_EQ(reached(std::string(kName) + "_-_-", record), "8 d4");
  EXPECT_EQ(reached(std::string(kName) + "_KQ_-", record), "");
  // En passant is possible only at once.
  const std::string passing = game_of("e4 Nf6 e5 d5 Nc3 Nc6 Nb1 Nb8 d4");
  constexpr std::string_view kPassing = "rnbqkb1r-ppp1pppp-5n2-3pP3-8-8-PPPP1PPP-RNBQKBNR_w";
  EXPECT_EQ(reached(std::string(kPassing) + "_KQkq_d6", passing), "4 Nc3");
  EXPECT_EQ(reached(std::string(kPassing) + "_KQkq_-", passing), "8 d4");
  // A double push alone gives no right.
  EXPECT_EQ(reached("rnbqkbnr-pppppppp-8-8-4P3-8-PPPP1PPP-RNBQKBNR_b_KQkq_-", game_of("e4 e5")),
            "1 e5");
}

TEST(PositionSeekerTest, FollowsMovesOfAllKinds) {
  EXPECT_EQ(reached("rnbqkbnr-pppppppp-8-8-4P3-8-PPPP1PPP-RNBQKBNR_w", game_of("e4 -- d4")),
            "2 d4");
  EXPECT_EQ(reached(kStart, game_of("-- -- e4")), "0 --");
  const std::string passing = game_of("e4 Nf6 e5 d5 exd6 Qxd6");
  EXPECT_EQ(reached("rnbqkb1r-ppp1pppp-3P1n2-8-8-8-PPPP1PPP-RNBQKBNR_b", passing), "5 Qxd6");
  const std::string promotion = game_of("a4 b5 axb5 a6 bxa6 Nc6 a7 Rb8 a8=N d5");
  EXPECT_EQ(reached("Nrbqkbnr-2ppppp1-2n4p-8-8-8-1PPPPPPP-RNBQKBNR_b", promotion), "");
  EXPECT_EQ(reached("Nrbqkbnr-2pppppp-2n5-8-8-8-1PPPPPPP-RNBQKBNR_b", promotion), "9 d5");
  EXPECT_EQ(reached("Qrbqkbnr-2pppppp-2n5-8-8-8-1PPPPPPP-RNBQKBNR_b", promotion), "");
  EXPECT_EQ(reached("r1bqk1nr-pppp1ppp-2n5-2b1p3-2B1P3-5N2-PPPP1PPP-RNBQ1RK1_b",
                    game_of("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O")),
            "7");
}

TEST(PositionSeekerTest, BeginsAtPositionOfFen) {
  const std::string record =
      ScidEncoder("4k3/8/8/8/8/8/8/4K2R b K - 0 1").moves("Kd7 O-O Kd6").record();
  EXPECT_EQ(reached("4k3-8-8-8-8-8-8-4K2R_b", record), "0 Kd7");
  EXPECT_EQ(reached("4k3-8-8-8-8-8-8-4K2R_w", record), "");
  EXPECT_EQ(reached("8-3k4-8-8-8-8-8-5RK1_b", record), "2 Kd6");
  // Pawns on the first rank, where the standard position has none, may move to the second.
  EXPECT_EQ(reached("4k3-8-8-8-8-8-P7-4K3_b",
                    ScidEncoder("4k3/8/8/8/8/8/8/P3K3 w - - 0 1").moves("a2 Kd7").record()),
            "1 Kd7");
}

TEST(PositionSeekerTest, IgnoresVariations) {
  const std::string record = ScidEncoder()
                                 .moves("e4 e5")
                                 .begin_variation()
                                 .moves("c5 Nf3")
                                 .end_variation()
                                 .nag(2)
                                 .comment("so")
                                 .moves("Nf3")
                                 .record();
  EXPECT_EQ(reached(kAfterE4C5, record), "");
  EXPECT_EQ(reached("rnbqkbnr-pppp1ppp-8-4p3-4P3-8-PPPP1PPP-RNBQKBNR_w", record), "2 Nf3");
}

// The walk ends at damage; moves before it count.
TEST(PositionSeekerTest, StopsAtTheSameDamageAsWalk) {
  // Two bytes before the moves; e4 c5 Nf3 d6, one byte each.
  const std::string whole = game_of("e4 c5 Nf3 d6");
  const std::string last = "rnbqkbnr-pp2pppp-3p4-2p5-4P3-5N2-PPPP1PPP-RNBQKB1R_w";
  EXPECT_EQ(reached(last, whole), "4");
  std::string damaged = whole;
  damaged[2 + 2] = '\x60';  // a knight's move off the board
  EXPECT_EQ(reached(kAfterE4C5, damaged), "2");
  EXPECT_EQ(reached(last, damaged), "");
  // A variation without a move to replace; the replay skips its contents.
  damaged = whole;
  damaged.insert(2 + 2, "\x0D\x60\x0E");
  EXPECT_EQ(reached(kAfterE4C5, damaged), "2");
  EXPECT_EQ(reached(last, damaged), "");
  // A comment without text.
  damaged = whole;
  damaged.insert(2 + 3, "\x0C");
  EXPECT_EQ(reached(kAfterE4C5, damaged), "2 Nf3");
  EXPECT_EQ(reached(last, damaged), "");
  EXPECT_EQ(reached(last, damaged + "text" + '\0'), "4");
  // No end.
  EXPECT_EQ(reached(last, whole.substr(0, whole.size() - 1)), "4");
  // No end of the tags.
  EXPECT_EQ(reached(kStart, ""), "");
  EXPECT_EQ(reached(kStart, std::string("\0\1no FEN\0\x0F", 10)), "");
}

bool has_line(std::string_view sans, const std::string& record) {
  std::vector<Move> moves;
  Position position;
  for (std::size_t begin = 0; begin < sans.size();) {
    const std::size_t end = std::min(sans.find(' ', begin), sans.size());
    moves.push_back(parse_san(position, sans.substr(begin, end - begin)).value());
    position.make(moves.back());
    begin = end + 1;
  }
  return LineSeeker(moves).seek(tests::as_bytes(record)).has_value();
}

TEST(LineSeekerTest, MatchesExactlyTheMovesOfTheLine) {
  const std::string record = game_of("e4 c5 Nf3 d6 d4");
  EXPECT_TRUE(has_line("e4", record));
  EXPECT_TRUE(has_line("e4 c5 Nf3", record));
  EXPECT_TRUE(has_line("e4 c5 Nf3 d6 d4", record));
  EXPECT_FALSE(has_line("e4 c5 Nf3 d6 d4 cxd4", record));
  EXPECT_FALSE(has_line("Nf3 c5 e4", record));
  EXPECT_FALSE(has_line("e4 e5", record));
  EXPECT_FALSE(has_line("e4", game_of("")));
  EXPECT_TRUE(has_line("e4 --", game_of("e4 -- d4")));
  EXPECT_FALSE(has_line("a4 b5 axb5 a6 bxa6 Nc6 a7 Rb8 a8=Q",
                        game_of("a4 b5 axb5 a6 bxa6 Nc6 a7 Rb8 a8=N")));
  EXPECT_TRUE(has_line("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O", game_of("e4 e5 Nf3 Nc6 Bc4 Bc5 O-O")));
}

TEST(LineSeekerTest, MatchesOnlyFromStandardPosition) {
  const auto from = [](std::string_view fen) { return ScidEncoder(fen).moves("e4 c5").record(); };
  EXPECT_TRUE(has_line("e4 c5", from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")));
  EXPECT_TRUE(has_line("e4 c5", from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 3 9")));
  EXPECT_FALSE(has_line("e4 c5", from("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R w KQkq - 0 1")));
  EXPECT_FALSE(has_line("e4", ScidEncoder("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b - - 0 1")
                                  .moves("e5 e4")
                                  .record()));
}

TEST(LineSeekerTest, SkipsVariationsAndStopsAtDamage) {
  std::string record = ScidEncoder()
                           .moves("e4 e5")
                           .begin_variation()
                           .move("c5")
                           .end_variation()
                           .comment("x")
                           .moves("Nf3")
                           .record();
  EXPECT_TRUE(has_line("e4 e5 Nf3", record));
  EXPECT_FALSE(has_line("e4 c5", record));
  record.resize(record.size() - 1);  // the comment's end
  EXPECT_TRUE(has_line("e4 e5", record));
  EXPECT_FALSE(has_line("e4 e5 Nf3", record));
}

// Numbers of queens, rooks, bishops, knights and pawns; exact.
MaterialTarget::Side side(std::array<std::uint8_t, MaterialTarget::kKinds> counts) {
  return {.least = counts, .most = counts};
}

bool comes_to(const MaterialTarget& target, const std::string& record) {
  return MaterialSeeker(target).seek(tests::as_bytes(record)).has_value();
}

TEST(MaterialSeekerTest, RequiresMaterialForTwoPlies) {
  constexpr std::string_view kFen = "4k3/8/8/3p4/4P3/8/8/R3K3 w - - 0 1";
  const MaterialTarget both{{side({0, 1, 0, 0, 1}), side({0, 0, 0, 0, 1})}};
  const MaterialTarget rook{{side({0, 0, 0, 0, 0}), side({0, 1, 0, 0, 1})}};
  const MaterialTarget pawn{{side({0, 0, 0, 0, 1}), side({0, 0, 0, 0, 0})}};
  // Only before the first move, and only after the last one.
  const std::string short_game = ScidEncoder(kFen).moves("exd5").record();
  EXPECT_FALSE(comes_to(both, short_game));
  EXPECT_FALSE(comes_to(rook, short_game));
  const std::string game = ScidEncoder(kFen).moves("Ra8+ Kd7 exd5 Kd6").record();
  EXPECT_TRUE(comes_to(both, game));
  EXPECT_TRUE(comes_to(rook, game));
  EXPECT_FALSE(comes_to(pawn, game));
  // A null move is a ply.
  EXPECT_TRUE(comes_to(rook, ScidEncoder(kFen).moves("exd5 --").record()));
}

TEST(MaterialSeekerTest, SupportsPromotionsAndRanges) {
  const std::string promoted =
      ScidEncoder("4k3/P7/8/8/8/8/7p/4K3 w - - 0 1").moves("a8=Q+ Kd7 Qb7+ Kd6 Kf2 h1=N+").record();
  const MaterialTarget queen{{side({1, 0, 0, 0, 0}), side({0, 0, 0, 0, 1})}};
  const MaterialTarget knight{{side({1, 0, 0, 0, 0}), side({0, 0, 0, 1, 0})}};
  EXPECT_TRUE(comes_to(queen, promoted));
  EXPECT_FALSE(comes_to(knight, promoted));
  MaterialTarget any = queen;
  any.sides[1].most[3] = MaterialTarget::kAnyNumber;
  any.sides[1].least[4] = 0;
  EXPECT_TRUE(comes_to(any, promoted));
  any.sides[0].least[0] = 2;
  any.sides[0].most[0] = MaterialTarget::kAnyNumber;
  EXPECT_FALSE(comes_to(any, promoted));
}

// ---- Compared with the walk on games of all kinds.

struct Walked {
  void start(const Position& position) { positions.push_back(position); }
  template <Color>
  void move(const Position& after, const Move& move) {
    if (depth != 0) return;
    positions.push_back(after);
    moves.push_back(move);
  }
  std::string_view nag(std::uint8_t) { return {}; }
  std::string_view comment() {
    return texts.next().has_value() ? std::string_view() : "a comment's text is missing";
  }
  void begin_variation(const Position&) { ++depth; }
  void end_variation(const Position&) { --depth; }
  void end(const Position&) {}

  CommentTexts texts;
  std::size_t depth = 0;
  std::vector<Position> positions = {};
  std::vector<Move> moves = {};
};

std::optional<Walked> walk(Bytes record, CastlingRule rule) {
  std::vector<ExtraTag> tags;
  RecordHead head;
  if (parse_record_head(record, tags, head, rule).has_value()) return std::nullopt;
  Walked walked{.texts = CommentTexts(record, head.moves_offset)};
  Walker().walk(record, head, walked);
  return walked;
}

// Returns the part of a position's EPD that its name contains.
std::string fields_of(const Position& position, bool with_rights) {
  return position_name({.position = position, .with_rights = with_rights});
}

void expect_target(const TargetPosition& target, Bytes record, CastlingRule rule) {
  const std::optional<Walked> walked = walk(record, rule);
  const std::optional<Reached> found = PositionSeeker(target, rule).seek(record);
  const std::string name = position_name(target);
  std::size_t ply = 0;
  const std::size_t end = walked.has_value() ? walked->positions.size() : 0;
  while (ply < end && fields_of(walked->positions[ply], target.with_rights) != name) ++ply;
  ASSERT_EQ(found.has_value(), ply < end) << name;
  if (!found.has_value()) return;
  EXPECT_EQ(found->ply, ply) << name;
  std::optional<Move> next;
  if (ply < walked->moves.size()) next = walked->moves[ply];
  EXPECT_EQ(found->next, next) << name;
}

TEST(PositionSeekerTest, AgreesWithWalkOnRandomGames) {
  tests::Random random(8);
  std::vector<std::string> records;
  for (int i = 0; i < 60; ++i) {
    tests::RandomGameOptions options{.plies = 1 + random.below(60)};
    if (random.one_in(3)) options.fen = tests::random_fen(random);
    records.push_back(tests::random_game(random, options).record());
    // The same games, damaged.
    records.push_back(records.back());
    std::string& damaged = records.back();
    damaged[random.below(damaged.size())] = static_cast<char>(random.next());
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Bytes record = tests::as_bytes(records[i]);
    const std::optional<Walked> walked = walk(record, CastlingRule::Standard);
    if (!walked.has_value()) continue;
    for (int targets = 0; targets < 8; ++targets) {
      const Position& position = walked->positions[random.below(walked->positions.size())];
      const TargetPosition target{.position = position, .with_rights = random.one_in(2)};
      expect_target(target, record, CastlingRule::Standard);
      // Games with common beginnings reach it more often than by chance.
      expect_target(target, tests::as_bytes(records[i ^ 1]), CastlingRule::Standard);
    }
  }
}

TEST(PositionSeekerTest, AgreesWithWalkOnChess960) {
  const tests::ScidDatabase database(tests::test_data("scid5/chess960"), ".si5");
  for (std::uint32_t game = 0; game < database.games(); ++game) {
    const Bytes record = database.record(game).value();
    const Walked walked = walk(record, CastlingRule::Chess960).value();
    for (const Position& position : walked.positions) {
      for (const bool with_rights : {false, true}) {
        expect_target({.position = position, .with_rights = with_rights}, record,
                      CastlingRule::Chess960);
      }
    }
  }
}

std::array<std::uint8_t, MaterialTarget::kKinds> count(const Position& position, Color color) {
  std::array<std::uint8_t, MaterialTarget::kKinds> counts{};
  for (Square square = 0; square < kNoSquare; ++square) {
    const Piece piece = position.piece_at(square);
    if (piece.empty() || piece.color != color || piece.type == PieceType::King) continue;
    ++counts[static_cast<std::size_t>(piece.type) - 1];
  }
  return counts;
}

bool is_between(const MaterialTarget::Side& wanted,
                const std::array<std::uint8_t, MaterialTarget::kKinds>& counts) {
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] < wanted.least[kind] || counts[kind] > wanted.most[kind]) return false;
  }
  return true;
}

TEST(MaterialSeekerTest, AgreesWithWalkOnRandomGames) {
  tests::Random random(9);
  std::size_t found = 0;
  for (int i = 0; i < 400; ++i) {
    tests::RandomGameOptions options{.plies = 80};
    if (random.one_in(3)) options.fen = tests::random_fen(random);
    const std::string text = tests::random_game(random, options).record();
    const Walked walked = walk(tests::as_bytes(text), CastlingRule::Standard).value();
    const Position& position = walked.positions[random.below(walked.positions.size())];
    MaterialTarget target{
        {side(count(position, Color::Black)), side(count(position, Color::White))}};
    for (MaterialTarget::Side& each : target.sides) {
      const std::size_t kind = random.below(MaterialTarget::kKinds);
      if (random.one_in(3)) each.most[kind] = MaterialTarget::kAnyNumber;
      if (random.one_in(6)) each.least[kind] /= 2;
      if (random.one_in(4) && each.least[kind] != 0) each.most[kind] = --each.least[kind];
    }
    std::vector<bool> met;
    for (const Position& each : walked.positions) {
      const auto white = count(each, Color::White);
      const auto black = count(each, Color::Black);
      met.push_back((is_between(target.sides[0], white) && is_between(target.sides[1], black)) ||
                    (is_between(target.sides[0], black) && is_between(target.sides[1], white)));
    }
    bool expected = false;
    for (std::size_t ply = 1; ply < met.size(); ++ply) expected |= met[ply - 1] && met[ply];
    EXPECT_EQ(comes_to(target, text), expected);
    found += expected ? 1 : 0;
  }
  EXPECT_GT(found, 100U);
  EXPECT_LT(found, 390U);
}

}  // namespace
}  // namespace scidfs::codec::scid
