#include "codec/scid/index_signature.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "codec/movegen.h"
#include "codec/san.h"
#include "codec/scid/facts.h"
#include "codec/scid/line_moves.h"
#include "codec/scid/lines.h"
#include "tests/support/files.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_files.h"

namespace scidfs::codec::scid {
namespace {

using tests::Random;
using tests::ScidEncoder;

// A game as a walk visits it, with an index entry that is true.
struct WalkedGame {
  IndexEntry entry;
  std::vector<Position> positions;  // in the main line
  std::vector<Move> moves;

  void start(const Position& position) { positions.push_back(position); }
  template <Color>
  void move(const Position& after, const Move& move) {
    if (depth != 0) return;
    positions.push_back(after);
    moves.push_back(move);
  }
  std::string_view nag(std::uint8_t) { return {}; }
  std::string_view comment() { return {}; }
  void begin_variation(const Position&) { ++depth; }
  void end_variation(const Position&) { --depth; }
  void end(const Position&) {}

  std::size_t depth = 0;
};

WalkedGame walk(Bytes record, CastlingRule rule = CastlingRule::Standard) {
  std::vector<ExtraTag> tags;
  RecordHead head;
  Walker walker;
  WalkedGame game;
  EXPECT_FALSE(parse_record_head(record, tags, head, rule).has_value());
  game.entry = tests::entry_of_facts(facts_of(walker, record, head));
  walker.walk(record, head, game);
  return game;
}

WalkedGame walk(const ScidEncoder& game) { return walk(tests::as_bytes(game.record())); }
WalkedGame played(std::string_view sans) { return walk(ScidEncoder().moves(sans)); }

enum class Judgement { Never, Maybe, Surely };

Judgement judge(const SignatureFilter& filter, const IndexSignature& marks) {
  const Judged judged = filter.judge({&marks, 1});
  EXPECT_LE(judged.maybe | judged.surely, 1u);
  EXPECT_EQ(judged.maybe & judged.surely, 0u);
  if (judged.surely != 0) return Judgement::Surely;
  return judged.maybe != 0 ? Judgement::Maybe : Judgement::Never;
}

Judgement judge(const WalkedGame& game, const TargetPosition& target) {
  return judge(SignatureFilter::for_position(target), signature_of(game.entry));
}

TargetPosition target(std::string_view name) { return *parse_position_name(name); }

TargetPosition target_after(std::string_view sans, bool with_rights = false) {
  return {.position = ScidEncoder().moves(sans).position(), .with_rights = with_rights};
}

// The result that a search must find.
std::optional<std::size_t> first_ply(const WalkedGame& game, const TargetPosition& target) {
  for (std::size_t ply = 0; ply < game.positions.size(); ++ply) {
    if (target.is_met_by(game.positions[ply])) return ply;
  }
  return std::nullopt;
}

void expect_holds(const SignatureFilter& filter, const WalkedGame& game,
                  std::optional<std::size_t> expected, const std::string& name) {
  const IndexSignature marks = signature_of(game.entry);
  const Judgement answer = judge(filter, marks);
  if (expected.has_value()) {
    ASSERT_NE(answer, Judgement::Never) << name;
  }
  if (answer != Judgement::Surely) return;
  ASSERT_TRUE(expected.has_value()) << name;
  const Reached& reached = filter.by_line(marks);
  ASSERT_EQ(reached.ply, *expected) << name;
  if (reached.next.has_value()) {
    ASSERT_LT(*expected, game.moves.size()) << name;
    ASSERT_EQ(*reached.next, game.moves[*expected]) << name;
  }
}

void expect_holds(const WalkedGame& game, const TargetPosition& target) {
  expect_holds(SignatureFilter::for_position(target), game, first_ply(game, target),
               position_name(target));
}

// --- Moves of stored lines ---

TEST(LineMoves, EqualEncodedSans) {
  for (unsigned code = 0; code < 300; ++code) {
    ScidEncoder game;
    std::vector<Move> moves;
    std::string_view rest = stored_line(code);
    while (!rest.empty()) {
      std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      if (word.find('.') != std::string_view::npos) word.remove_prefix(word.find('.') + 1);
      moves.push_back(*parse_san(game.position(), word));
      game.move(moves.back());
    }
    const std::span<const Move> line = stored_line_moves(code);
    EXPECT_TRUE(std::ranges::equal(line, moves)) << code;
    // Before them are the end of the tags and the flags, and after them the end of the game.
    const std::string record = game.record();
    EXPECT_TRUE(std::ranges::equal(stored_line_bytes(code),
                                   tests::as_bytes(record).subspan(2, record.size() - 3)))
        << code;
  }
}

// --- Examples ---

TEST(IndexSignature, TakesSixteenBytes) { EXPECT_EQ(sizeof(IndexSignature), 16u); }

TEST(IndexSignature, KeepsOrderOfHomePawns) {
  IndexEntry entry;
  entry.home_pawn_count = 3;
  entry.home_pawns = {0xB4, 0x80};  // e2, d7, h2
  EXPECT_EQ(signature_of(entry).home_pawns, 0xFFFF'0FF2'FFF1'FFFF);
}

TEST(IndexSignature, IsUnknownIfHomePawnListIsInvalid) {
  IndexEntry entry;
  entry.home_pawn_count = 3;
  entry.home_pawns = {0xB4, 0xB0};
  EXPECT_EQ(signature_of(entry), kNoSignature);
  entry.home_pawn_count = 2;
  EXPECT_FALSE(signature_of(entry).tells_nothing());
}

TEST(SignatureFilter, ExcludesPositionsThatContradictOrderOfHomePawns) {
  const WalkedGame game = played("a3 h6 a4 h5 e4 e5");
  EXPECT_EQ(judge(game, target_after("a3")), Judgement::Maybe);
  EXPECT_EQ(judge(game, target_after("a3 h6 e4")), Judgement::Maybe);
  EXPECT_EQ(judge(game, target_after("e4")), Judgement::Never);
  EXPECT_EQ(judge(game, target_after("a3 e5")), Judgement::Never);
  EXPECT_EQ(judge(game, target_after("a3 h6 e4 d5")), Judgement::Never);
  EXPECT_EQ(judge(game, target_after("a3 h6 e4 e5 d4")), Judgement::Never);
}

TEST(SignatureFilter, ExcludesPositionsWithLessThanFinalMaterial) {
  const WalkedGame game = played("e4 d5 exd5 Qxd5 Nc3 Qxg2");
  EXPECT_EQ(judge(game, target_after("e4 d5 exd5 Qxd5 Nc3")), Judgement::Surely);
  // With one knight less than at the end.
  EXPECT_EQ(judge(game, target("rnb1kbnr-ppp1pppp-8-3q4-8-8-PPPP1PPP-R1BQKBNR_w")),
            Judgement::Never);
  EXPECT_EQ(judge(game, target("rnb1kbnr-ppp1pppp-8-3q4-8-2N5-PPPP1P1P-R1BQKBNR_w")),
            Judgement::Maybe);
  EXPECT_EQ(judge(game, target("rnb1kbnr-ppp1pppp-8-8-8-2N5-PPPP1PqP-R1BQKBNR_w")),
            Judgement::Maybe);
  EXPECT_EQ(judge(game, target("rnb1kbnr-ppp1pppp-8-8-8-2N5-PPPP1P1P-R1BQKBNR_w")),
            Judgement::Never);
}

TEST(SignatureFilter, AllowsPiecesFromPromotion) {
  constexpr std::string_view kGame = "a4 b5 axb5 a6 bxa6 Bb7 axb7 Nc6 bxa8=Q";
  const WalkedGame game = played(kGame);
  ASSERT_TRUE(game.entry.has(kFlagPromotion));
  for (const Position& position : game.positions) {
    EXPECT_NE(judge(game, {.position = position}), Judgement::Never) << position.fen();
  }
  // Only games with a promotion have two queens.
  const TargetPosition end = target_after(kGame);
  WalkedGame other = game;
  other.entry.flags = 0;
  EXPECT_EQ(judge(other, end), Judgement::Never);
}

TEST(SignatureFilter, HandlesAllSixteenHomePawns) {
  IndexEntry entry;
  entry.home_pawn_count = 16;
  entry.home_pawns = {0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xEF};
  WalkedGame game{.entry = entry, .positions = {}, .moves = {}};
  const TargetPosition none = target("4k3-8-pppppppp-8-8-PPPPPPPP-8-4K3_w");
  EXPECT_EQ(judge(game, none), Judgement::Maybe);
  EXPECT_EQ(judge(game, target("4k3-8-pppppppp-8-8-1PPPPPPP-P7-4K3_w")), Judgement::Maybe);
  EXPECT_EQ(judge(game, target("4k3-8-pppppppp-8-8-P1PPPPPP-1P6-4K3_w")), Judgement::Never);
  game.entry.home_pawn_count = 15;
  EXPECT_EQ(judge(game, none), Judgement::Never);
  EXPECT_EQ(judge(game, target("4k3-8-pppppppp-8-8-1PPPPPPP-P7-4K3_w")), Judgement::Maybe);
}

TEST(SignatureFilter, JudgesPositionsByStoredLine) {
  const WalkedGame game = played("e4 c5 Nf3 d6 h3");
  ASSERT_EQ(stored_line(game.entry.stored_line), "1.e4 c5 2.Nf3 d6");
  const IndexSignature marks = signature_of(game.entry);
  const auto reached = [&](std::string_view sans) {
    const SignatureFilter filter = SignatureFilter::for_position(target_after(sans));
    EXPECT_EQ(judge(filter, marks), Judgement::Surely) << sans;
    return filter.by_line(marks);
  };
  EXPECT_EQ(reached("e4 c5").ply, 2u);
  EXPECT_EQ(reached("e4 c5").next, game.moves[2]);
  EXPECT_EQ(reached("").next, game.moves[0]);
  EXPECT_EQ(reached("e4 c5 Nf3 d6").ply, 4u);
  EXPECT_EQ(reached("e4 c5 Nf3 d6").next, std::nullopt);
  // In another order of moves.
  EXPECT_EQ(reached("Nf3 d6 e4 c5").ply, 4u);
  EXPECT_EQ(judge(game, target_after("e4 c5 Nf3 d6 h3")), Judgement::Maybe);
  // The order of pawns would allow it, but the line has left it.
  EXPECT_EQ(judge(game, target_after("e4 c5 Nf3 d6 h3", true)), Judgement::Maybe);
  EXPECT_EQ(judge(played("e4 e5 Nf3 Nc6 Bb5"), target_after("e4 e5 d4")), Judgement::Never);
}

TEST(SignatureFilter, ComparesRightsOnlyIfTargetHasThem) {
  const WalkedGame game = played("e4 e5 Nf3 Nc6 Bb5 a6");
  EXPECT_EQ(judge(game, target_after("e4 e5 Nf3 Nc6", true)), Judgement::Surely);
  const TargetPosition other =
      target("r1bqkbnr-pppp1ppp-2n5-4p3-4P3-5N2-PPPP1PPP-RNBQKB1R_w_Kkq_-");
  EXPECT_NE(judge(game, other), Judgement::Surely);
  EXPECT_EQ(judge(game, {.position = other.position}), Judgement::Surely);
}

TEST(SignatureFilter, GamesFromFenMayReachAnyPosition) {
  IndexEntry entry;
  entry.flags = 1U << kFlagStart;
  entry.material = 0xFF'FFFF;
  entry.stored_line = 100;
  const WalkedGame game{.entry = entry, .positions = {}, .moves = {}};
  EXPECT_EQ(judge(game, target_after("")), Judgement::Maybe);
  EXPECT_EQ(judge(game, target("4k3-8-8-8-8-8-8-4K3_w")), Judgement::Maybe);
}

TEST(SignatureFilter, JudgesLines) {
  const WalkedGame game = played("e4 c5 Nf3 d6 h3 h6");
  const IndexSignature marks = signature_of(game.entry);
  const auto line = [&](std::string_view sans) {
    return SignatureFilter::for_line(played(sans).moves);
  };
  EXPECT_EQ(judge(line("e4 c5"), marks), Judgement::Surely);
  EXPECT_EQ(line("e4 c5").by_line(marks).ply, 2u);
  EXPECT_EQ(line("e4 c5").by_line(marks).next, game.moves[2]);
  EXPECT_EQ(judge(line(""), marks), Judgement::Surely);
  EXPECT_EQ(line("e4 c5 Nf3 d6").by_line(marks).next, std::nullopt);
  EXPECT_EQ(judge(line("Nf3 d6 e4 c5"), marks), Judgement::Never);
  EXPECT_EQ(judge(line("e4 c5 Nf3 d6 h3"), marks), Judgement::Maybe);
  EXPECT_EQ(judge(line("e4 c5 Nf3 d6 g3"), marks), Judgement::Never);  // by the pawns
  EXPECT_EQ(judge(line("a3"), kNoSignature), Judgement::Maybe);
}

TEST(SignatureFilter, JudgesMaterial) {
  const auto filter = [](std::initializer_list<MaterialBound> bounds) {
    return SignatureFilter::for_material({bounds.begin(), bounds.size()});
  };
  IndexEntry entry;
  entry.material = 0x112133;  // Q0R1B0N1P2-Q0R1B0N3P3
  const IndexSignature marks = signature_of(entry);
  EXPECT_EQ(judge(filter({{.most = 0x112133}}), marks), Judgement::Maybe);
  EXPECT_EQ(judge(filter({{.most = 0x112132}}), marks), Judgement::Never);
  EXPECT_EQ(judge(filter({{.most = 0x102133}}), marks), Judgement::Never);
  EXPECT_EQ(judge(filter({{.most = 0x102133}, {.most = 0x112133}}), marks), Judgement::Maybe);
  EXPECT_EQ(judge(filter({MaterialBound()}), marks), Judgement::Maybe);
  EXPECT_EQ(judge(filter({{.is_promoted = true}}), marks), Judgement::Never);
  EXPECT_EQ(judge(filter({{.most = 0}}), kNoSignature), Judgement::Maybe);
  entry.flags = 1U << kFlagPromotion;
  EXPECT_EQ(judge(filter({{.most = 0x002003}}), signature_of(entry)), Judgement::Maybe);
  EXPECT_EQ(judge(filter({{.most = 0x001003}}), signature_of(entry)), Judgement::Never);
  EXPECT_EQ(judge(filter({{.is_promoted = true}}), signature_of(entry)), Judgement::Maybe);
}

TEST(SignatureFilter, JudgesUpToSixtyFourGames) {
  const IndexSignature yes = signature_of(played("e4 c5").entry);
  const IndexSignature no = signature_of(played("d4").entry);
  const SignatureFilter filter = SignatureFilter::for_position(target_after("e4 c5"));
  for (std::size_t size = 0; size <= 64; ++size) {
    std::vector<IndexSignature> games(size, no);
    Judged expected;
    for (std::size_t i = 0; i < size; i += 3) {
      games[i] = i % 2 == 0 ? yes : kNoSignature;
      (i % 2 == 0 ? expected.surely : expected.maybe) |= std::uint64_t{1} << i;
    }
    EXPECT_EQ(filter.judge(games).surely, expected.surely) << size;
    EXPECT_EQ(filter.judge(games).maybe, expected.maybe) << size;
  }
}

// --- Compared with the games themselves ---

// A game that begins with a stored line or a part of one.
ScidEncoder game_of_line(Random& random, std::size_t plies) {
  ScidEncoder game;
  std::span<const Move> line = stored_line_moves(static_cast<unsigned>(random.below(256)));
  if (random.one_in(3)) line = line.first(random.below(line.size() + 1));
  for (const Move& move : line) game.move(move);
  for (std::size_t i = 0; i < plies; ++i) game.move(tests::random_move(game.position(), random));
  return game;
}

std::vector<WalkedGame> random_games() {
  Random random(11);
  std::vector<WalkedGame> games;
  for (int i = 0; i < 60; ++i) games.push_back(walk(game_of_line(random, random.below(40))));
  for (int i = 0; i < 20; ++i) {
    games.push_back(walk(tests::random_game(random, {.plies = 10 + random.below(300)})));
  }
  for (const std::string& fen : tests::example_fens()) {
    games.push_back(walk(tests::random_game(random, {.plies = 20, .fen = fen})));
  }
  return games;
}

TEST(SignatureFilter, HoldsForEveryPositionOfRandomGames) {
  const std::vector<WalkedGame> games = random_games();
  std::size_t promotions = 0;
  for (const WalkedGame& game : games) {
    promotions += game.entry.has(kFlagPromotion) ? 1 : 0;
    for (const Position& position : game.positions) {
      expect_holds(game, {.position = position});
      expect_holds(game, {.position = position, .with_rights = true});
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(promotions, 10u);
}

TEST(SignatureFilter, HoldsForPositionsOfOtherGames) {
  const std::vector<WalkedGame> games = random_games();
  Random random(5);
  std::size_t never = 0;
  std::size_t surely = 0;
  for (int i = 0; i < 600; ++i) {
    const WalkedGame& from = games[random.below(games.size())];
    const std::size_t most = std::min<std::size_t>(from.positions.size(), i % 2 == 0 ? 5 : 400);
    const TargetPosition target{.position = from.positions[random.below(most)],
                                .with_rights = random.one_in(2)};
    const SignatureFilter filter = SignatureFilter::for_position(target);
    for (const WalkedGame& game : games) {
      expect_holds(filter, game, first_ply(game, target), position_name(target));
      if (HasFatalFailure()) return;
      const Judgement answer = judge(filter, signature_of(game.entry));
      never += answer == Judgement::Never ? 1 : 0;
      surely += answer == Judgement::Surely ? 1 : 0;
    }
  }
  EXPECT_GT(never, 600 * games.size() / 2);
  EXPECT_GT(surely, 600u);
}

TEST(SignatureFilter, HoldsForLinesOfOtherGames) {
  const std::vector<WalkedGame> games = random_games();
  Random random(6);
  for (int i = 0; i < 600; ++i) {
    const WalkedGame& from = games[random.below(80)];  // one of those from the standard position
    const std::size_t plies = random.below(std::min<std::size_t>(from.moves.size(), 12) + 1);
    const std::span<const Move> line = std::span(from.moves).first(plies);
    const SignatureFilter filter = SignatureFilter::for_line(line);
    for (const WalkedGame& game : games) {
      const bool begins = !game.entry.has(kFlagStart) && game.moves.size() >= plies &&
                          std::ranges::equal(line, std::span(game.moves).first(plies));
      expect_holds(filter, game, begins ? std::optional(plies) : std::nullopt, "line");
      if (HasFatalFailure()) return;
    }
  }
}

TEST(SignatureFilter, HoldsForMaterialOfOtherGames) {
  const std::vector<WalkedGame> games = random_games();
  Random random(7);
  for (int i = 0; i < 600; ++i) {
    const WalkedGame& from = games[random.below(games.size())];
    MaterialBound bound{.most = material_of(from.positions[random.below(from.positions.size())])};
    const SignatureFilter filter = SignatureFilter::for_material({&bound, 1});
    for (const WalkedGame& game : games) {
      const bool has = std::ranges::any_of(game.positions, [&](const Position& position) {
        return material_of(position) == bound.most;
      });
      EXPECT_TRUE(!has || judge(filter, signature_of(game.entry)) == Judgement::Maybe)
          << material_to_string(bound.most);
    }
  }
}

TEST(SignatureFilter, HoldsForRealGames) {
  const std::string path = tests::shared_folder() + "/data/masters";
  if (!std::filesystem::exists(path + ".si4")) GTEST_SKIP() << "the shared databases are not here";
  const tests::ScidDatabase database(path);
  std::vector<WalkedGame> games;
  for (std::uint32_t game = 0; game < database.games(); game += 200) {
    games.push_back(walk(*database.record(game)));
    games.back().entry = database.entry(game);  // as Scid has computed it
  }
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    const WalkedGame& from = games[random.below(games.size())];
    const std::size_t most = std::min<std::size_t>(from.positions.size(), i % 2 == 0 ? 20 : 200);
    const TargetPosition target{.position = from.positions[random.below(most)]};
    const SignatureFilter filter = SignatureFilter::for_position(target);
    for (const WalkedGame& game : games) {
      expect_holds(filter, game, first_ply(game, target), position_name(target));
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace scidfs::codec::scid
