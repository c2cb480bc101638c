#include "fs/positions/line_text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "codec/san.h"
#include "codec/scid/seek.h"
#include "codec/uci.h"
#include "fs/database/game_reader.h"
#include "fs/positions/line_tree.h"
#include "fs/positions/moves_played.h"
#include "tests/fs/scan/sets_fixture.h"
#include "tests/support/lines_check.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Position;
using codec::Result;
using codec::TargetPosition;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view kTags =
    "[Event \"x\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n"
    "[Black \"?\"]\n[Result \"*\"]\n\n";

class LineTextTest : public SetsTest {
 protected:
  // Games by their moves in SAN. "FEN: " precedes the moves of a game with a start position of its
  // own, "1-0 " or another result its text.
  static tests::ScidFiles files_with(const std::vector<std::string>& games) {
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    for (std::string game : games) {
      Entry entry;
      for (const Result result : {Result::WhiteWins, Result::BlackWins, Result::Draw}) {
        const std::string token = std::string(codec::result_token(result)) + ' ';
        if (!game.starts_with(token)) continue;
        entry.result = result;
        game.erase(0, token.size());
      }
      const std::size_t colon = game.find(": ");
      tests::ScidEncoder encoder = colon == std::string::npos
                                       ? tests::ScidEncoder()
                                       : tests::ScidEncoder(game.substr(0, colon));
      encoder.moves(colon == std::string::npos ? game : game.substr(colon + 2));
      builder.game(entry, encoder.record());
    }
    return builder.files();
  }

  static std::string text_of(const GameSet& parts, const LineBounds& bounds = {},
                             const LineStart& start = {}) {
    const auto text = LineText::make(parts, start, bounds, whole());
    EXPECT_TRUE(text.ok()) << text.status();
    return text.ok() ? (*text)->with_title("x").value_or("") : "";
  }
  static tests::Lines parse(std::string_view text) {
    std::vector<std::string> faults;
    tests::Lines lines = tests::parse_lines(text, faults);
    EXPECT_THAT(faults, IsEmpty()) << text;
    return lines;
  }
  // The moves shown for games, without the tags, line ends as blanks.
  std::string moves_of(const std::vector<std::string>& games, const LineBounds& bounds = {}) {
    const Shared database = open(files_with(games));
    std::string text = text_of(shown(database), bounds);
    parse(text);
    EXPECT_THAT(text, StartsWith(kTags));
    text.erase(0, kTags.size());
    text.resize(text.find_last_not_of('\n') + 1);
    std::ranges::replace(text, '\n', ' ');
    return text;
  }

  static LineStart start_at(std::string_view name, const std::vector<std::string>& moves = {}) {
    const auto target = codec::parse_position_name(name);
    EXPECT_TRUE(target.ok()) << name;
    LineStart start{.position = *target, .first = target->position, .moves = {}};
    Position position = start.first;
    for (const std::string& san : moves) {
      start.moves.push_back(*codec::parse_san(position, san));
      position.make(start.moves.back());
      start.position = start.position.after(start.moves.back());
    }
    return start;
  }

  // The moves that lines may have in a position, by the rules of the manual, from the table of the
  // position: with at least `games` games, most first.
  static std::vector<tests::LineMove> wanted(const MoveTable& table, const Position& position,
                                             const LineBounds& bounds, std::uint32_t games) {
    std::vector<const PlayedMove*> moves;
    for (const PlayedMove& move : table.moves()) {
      const auto legal = codec::parse_san(position, move.san);
      if (move.san != "--" && legal.has_value() && number_of(*legal) == number_of(move.move)) {
        moves.push_back(&move);
      }
    }
    if (bounds.side == position.side_to_move()) {
      std::erase_if(moves,
                    [&](const PlayedMove* move) { return move->games.score.all() < bounds.best; });
      const double sign = position.side_to_move() == Color::White ? 1 : -1;
      const auto key = [&](const PlayedMove* move) {
        const Score& score = move->games.score;
        const double share = score.decided() == 0 ? -2.0
                                                  : sign * static_cast<double>(score.points()) /
                                                        (2.0 * score.decided());
        return std::tuple(-share, -static_cast<double>(score.all()), codec::to_uci(move->move));
      };
      if (bounds.best != 0) std::ranges::sort(moves, {}, key);
      moves.resize(std::min<std::size_t>(moves.size(), 1));
    }
    std::vector<tests::LineMove> wanted;
    for (const PlayedMove* const move : moves) {
      if (move->games.score.all() < games) continue;
      wanted.push_back({.san = move->san,
                        .games = move->games.score.all(),
                        .score = percent_of(move->games.score)});
    }
    return wanted;
  }

  // Expects that the lines have exactly the moves that moves_played() and the bounds allow.
  static void expect_lines(const GameSet& parts, const LineBounds& bounds,
                           const LineStart& start = {}) {
    const std::string text = text_of(parts, bounds, start);
    const tests::Lines lines = parse(text);
    const auto tree = find_line_tree(parts, start.position, start.first, bounds, whole());
    ASSERT_TRUE(tree.ok() || !start.moves.empty()) << tree.status();
    EXPECT_EQ(text_with_known(parts, bounds, start), text);
    const std::uint32_t games = start.moves.empty() ? tree->games : bounds.games;
    for (const auto& [name, place] : lines.places) {
      SCOPED_TRACE(name);
      std::vector<tests::LineMove> shown;
      for (tests::LineMove move : place.moves) {
        move.goes_on.clear();
        const auto next = lines.places.find(move.next);
        // What is let in goes on.
        if (next == lines.places.end() &&
            place.line.size() + 1 < bounds.plies + start.moves.size()) {
          expect_end(parts, move.next, place.position, move.san, bounds, games);
        }
        move.next.clear();
        shown.push_back(move);
      }
      const auto table = moves_played_at(parts, place.position);
      EXPECT_EQ(shown, wanted(*table, place.position, bounds, games));
      EXPECT_LT(place.line.size(), bounds.plies + start.moves.size());
    }
  }
  // The text if the tables of two of three positions come from elsewhere.
  static std::string text_with_known(const GameSet& parts, const LineBounds& bounds,
                                     const LineStart& start) {
    const auto known = [&](const TargetPosition& target) -> std::shared_ptr<const MoveTable> {
      const std::size_t hash = std::hash<std::string>()(codec::position_name(target));
      return hash % 3 == 0 ? nullptr : moves_played_at(parts, target.position);
    };
    const auto text = LineText::make(parts, start, bounds, whole(), known);
    EXPECT_TRUE(text.ok()) << text.status();
    return text.ok() ? (*text)->with_title("x").value_or("") : "";
  }
  static std::shared_ptr<const MoveTable> moves_played_at(const GameSet& parts,
                                                          const Position& position) {
    const TargetPosition target{.position = position};
    std::vector<DatabaseGames> there;
    for (const DatabaseGames& part : parts) {
      std::vector<GameIndex> games;
      const ReaderPool::Loan reader = part.database()->readers().borrow();
      codec::scid::PositionSeeker seeker(target);
      for (const GameIndex game : games_of(part)) {
        const auto record = reader->record(part.database()->entry(game));
        if (record.ok() && record->has_value() && seeker.seek(**record).has_value()) {
          games.push_back(game);
        }
      }
      there.push_back(set_of(part.database(), games));
    }
    const auto table = moves_played(GameSet(std::move(there)), target, whole());
    EXPECT_TRUE(table.ok()) << table.status();
    return table.ok() ? *table : std::make_shared<const MoveTable>();
  }
  static void expect_end(const GameSet& parts, const std::string& name, Position position,
                         const std::string& san, const LineBounds& bounds, std::uint32_t games) {
    position.make(*codec::parse_san(position, san));
    EXPECT_THAT(wanted(*moves_played_at(parts, position), position, bounds, games), IsEmpty())
        << name << " goes on";
  }
};

TEST_F(LineTextTest, IsOneGameWithVariations) {
  EXPECT_EQ(moves_of({"1-0 e4 e5 Nf3", "0-1 e4 e5 Nf3", "1/2-1/2 e4 c5 Nf3", "e4 c5 Nc3",
                      "1-0 d4 d5", "1-0 d4 d5", "1-0 c4"}),
            "{moves of at least 2 games; 40 plies} 1. e4 {4: 50.0%} (1. d4 {2: 100.0%} 1... d5 {2: "
            "100.0%}) 1... c5 {2: 50.0%} (1... e5 {2: 50.0%} 2. Nf3 {2: 50.0%}) *");
}

TEST_F(LineTextTest, HasNoMovesWithoutGames) {
  EXPECT_EQ(moves_of({""}), "{moves of at least 2 games; 40 plies} *");
  EXPECT_EQ(moves_of({"e4", "d4"}), "{moves of at least 2 games; 40 plies} *");
  EXPECT_EQ(moves_of({"e4", "d4"}, {.games = 1}), "{any move; 40 plies} 1. d4 {1} (1. e4 {1}) *");
}

// A position counts by any way to it, and goes on once.
TEST_F(LineTextTest, TellsWhereATranspositionGoesOn) {
  EXPECT_EQ(moves_of({"1-0 d4 Nf6 c4 e6", "1-0 d4 Nf6 c4 e6", "1-0 d4 Nf6 c4 e6",
                      "0-1 c4 Nf6 d4 e6", "0-1 c4 Nf6 d4 e6"}),
            "{moves of at least 2 games; 40 plies} 1. d4 {3: 100.0%} (1. c4 {2: 0.0%} 1... Nf6 {2: "
            "0.0%} 2. d4 {2: 0.0%; goes on after 1. d4 Nf6 2. c4}) 1... Nf6 {3: 100.0%} 2. c4 {3: "
            "100.0%} 2... e6 {5: 60.0%} *");
}

// The shorter way counts, whichever has more games.
TEST_F(LineTextTest, GoesOnAfterTheShortestLine) {
  const std::string text = moves_of(
      {"e4 e5 Nf3 Nf6 Ng1 Ng8 d4", "e4 e5 Nf3 Nf6 Ng1 Ng8 d4", "e4 e5 d4 exd4", "e4 e5 d4 exd4"});
  EXPECT_THAT(text, HasSubstr("3... Ng8 {2; goes on after 1. e4 e5}"));
  // The games that came back played Nf3 when they were there first.
  EXPECT_THAT(text, HasSubstr("2. Nf3 {2} (2. d4 {2} 2... exd4 {2}) 2... Nf6"));
}

TEST_F(LineTextTest, ReturnsToTheBeginning) {
  EXPECT_THAT(moves_of({"Nf3 Nf6 Ng1 Ng8 e4", "Nf3 Nf6 Ng1 Ng8 e4"}),
              EndsWith("2... Ng8 {2; goes on at the beginning} *"));
}

// Nothing goes on after a transposition where nothing goes on.
TEST_F(LineTextTest, TellsNoPlaceWhereALineEnds) {
  EXPECT_THAT(moves_of({"d4 d5 c4", "d4 d5 c4", "c4 d5 d4", "c4 d5 d4"}),
              Not(HasSubstr("goes on")));
}

// As in moves.tsv: most games first, then by SAN.
TEST_F(LineTextTest, OrdersMovesAsTheTable) {
  EXPECT_EQ(moves_of({"e4", "d4", "Nf3", "c4", "c4"}, {.games = 1}),
            "{any move; 40 plies} 1. c4 {2} (1. Nf3 {1}) (1. d4 {1}) (1. e4 {1}) *");
}

TEST_F(LineTextTest, KeepsWithinItsBounds) {
  const std::vector<std::string> games = {"e4 e5 Nf3 Nc6", "e4 e5 Nf3 Nc6", "e4 e5 Nf3 d6",
                                          "e4 c5"};
  EXPECT_EQ(moves_of(games, {.plies = 2, .games = 1}),
            "{any move; 2 plies} 1. e4 {4} 1... e5 {3} (1... c5 {1}) *");
  EXPECT_EQ(moves_of(games, {.plies = 1, .games = 1}), "{any move; 1 ply} 1. e4 {4} *");
  EXPECT_EQ(moves_of(games, {.games = 3}),
            "{moves of at least 3 games; 40 plies} 1. e4 {4} 1... e5 {3} 2. Nf3 {3} *");
}

TEST_F(LineTextTest, IsARepertoireOfOneSide) {
  const std::vector<std::string> games = {"1-0 e4 e5 Nf3", "0-1 e4 e5 Nf3", "0-1 e4 e5 d4",
                                          "0-1 e4 e5 d4",  "0-1 e4 c5 d4",  "0-1 e4 c5 d4",
                                          "1-0 d4 d5",     "1-0 d4 d5",     "1-0 a4"};
  EXPECT_EQ(moves_of(games, {.side = Color::White}),
            "{White: the move with most games; Black: moves of at least 2 games; 40 plies} "
            "1. e4 {6: 16.7%} 1... e5 {4: 25.0%} (1... c5 {2: 0.0%} 2. d4 {2: 0.0%}) "
            "2. Nf3 {2: 50.0%} *");
  EXPECT_EQ(moves_of(games, {.side = Color::White, .best = 2}),
            "{White: the best score of at least 2 games; Black: moves of at least 2 games; "
            "40 plies} 1. d4 {2: 100.0%} 1... d5 {2: 100.0%} *");
  EXPECT_EQ(moves_of(games, {.side = Color::White, .best = 3}),
            "{White: the best score of at least 3 games; Black: moves of at least 2 games; "
            "40 plies} 1. e4 {6: 16.7%} 1... e5 {4: 25.0%} (1... c5 {2: 0.0%}) *");
  EXPECT_EQ(moves_of(games, {.side = Color::Black, .best = 2}),
            "{White: moves of at least 2 games; Black: the best score of at least 2 games; "
            "40 plies} 1. e4 {6: 16.7%} (1. d4 {2: 100.0%} 1... d5 {2: 100.0%}) 1... c5 "
            "{2: 0.0%} 2. d4 {2: 0.0%} *");
}

// Equal scores: more games, then the first by UCI; no known result is the worst.
TEST_F(LineTextTest, BreaksTiesOfScores) {
  EXPECT_THAT(moves_of({"1-0 e4", "0-1 e4", "1/2-1/2 d4", "1/2-1/2 d4", "1/2-1/2 d4"},
                       {.side = Color::White, .best = 2}),
              HasSubstr("1. d4 {3: 50.0%} *"));
  EXPECT_THAT(moves_of({"1-0 e4", "0-1 e4", "1/2-1/2 Nf3", "1/2-1/2 Nf3", "d4", "d4", "d4"},
                       {.side = Color::White, .best = 2}),
              HasSubstr("1. e4 {2: 50.0%} *"));
  EXPECT_THAT(moves_of({"0-1 e4", "0-1 e4", "d4", "d4", "d4"}, {.side = Color::White, .best = 2}),
              HasSubstr("1. e4 {2: 0.0%} *"));
}

// Each move of a text can be played: other programs read it.
TEST_F(LineTextTest, LeavesOutMovesThatCannotBePlayed) {
  // Null moves.
  EXPECT_EQ(moves_of({"e4 -- d4", "e4 -- d4"}),
            "{moves of at least 2 games; 40 plies} 1. e4 {2} *");
  // The board allows castling, but in the only line that leads there the king has moved.
  const std::string moved = "e4 e5 Ke2 Nc6 Ke1 Bc5 Nf3 Nf6 Bc4 d6 d3";
  const std::string board = "r1bqk2r/ppp2ppp/2np1n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w";
  const std::string castles = board + " KQkq - 0 1: O-O";
  EXPECT_THAT(moves_of({moved, moved, castles, castles, castles}),
              EndsWith("5... d6 {2} 6. d3 {2} *"));
  // En passant, where the other pawn has just moved, and where it is not known to have.
  const std::string takes = "e4 a6 e5 d5 exd6";
  const std::string other = "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1: d4";
  EXPECT_THAT(moves_of({takes, takes, other, other}), EndsWith("3. d4 {2} (3. exd6 {2}) *"));
  const Shared database = open(files_with({takes, takes, other, other}));
  EXPECT_THAT(
      text_of(shown(database), {}, start_at("rnbqkbnr-1pp1pppp-p7-3pP3-8-8-PPPP1PPP-RNBQKBNR_w")),
      EndsWith("} 1. d4 {2} *\n\n"));
}

TEST_F(LineTextTest, BeginsWhereItIsAsked) {
  const std::vector<std::string> games = {
      "e4 c5 Nf3 d6", "e4 c5 Nf3 d6", "Nf3 c5 e4 d6", "d4",
      "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 9: Nc3"};
  const Shared database = open(files_with(games));
  const std::string text = text_of(shown(database), {.games = 1},
                                   start_at("rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w"));
  EXPECT_THAT(text,
              HasSubstr("[Result \"*\"]\n[SetUp \"1\"]\n[FEN "
                        "\"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1\"]\n\n"));
  EXPECT_THAT(text, EndsWith("{any move; 40 plies} 1. Nf3 {2} (1. Nc3 {1}) 1... d6 {3} *\n\n"));
  const tests::Lines below =
      parse(text_of(shown(database), {.games = 1},
                    start_at("rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w", {"e4", "c5"})));
  EXPECT_THAT(below.first, ElementsAre("e4", "c5"));
  ASSERT_EQ(below.moves, 3U);
  EXPECT_THAT(below.places.at("rnbqkbnr-pp1ppppp-8-2p5-4P3-8-PPPP1PPP-RNBQKBNR_w").line,
              ElementsAre("e4", "c5"));
  const std::string black =
      text_of(shown(database), {.games = 1},
              start_at("rnbqkbnr-pp1ppppp-8-2p5-4P3-5N2-PPPP1PPP-RNBQKB1R_b"));
  EXPECT_THAT(black, HasSubstr("} 1... d6 {3} *"));
}

// Of a name with rights only games that have them count.
TEST_F(LineTextTest, ComparesRightsWhereTheyCount) {
  const Shared database = open(files_with({"e4 e5 Ke2 Ke7 Ke1 Ke8 d4", "e4 e5 Nf3", "e4 e5 Nf3"}));
  const std::string board = "rnbqkbnr-pppp1ppp-8-4p3-4P3-8-PPPP1PPP-RNBQKBNR_w";
  EXPECT_THAT(text_of(shown(database), {.plies = 1, .games = 1}, start_at(board)),
              HasSubstr("1. Nf3 {2} (1. Ke2 {1}) *"));
  EXPECT_THAT(text_of(shown(database), {.plies = 1, .games = 1}, start_at(board + "_-_-")),
              HasSubstr("1. d4 {1} *"));
}

TEST_F(LineTextTest, EscapesItsTitle) {
  const Shared database = open(files_with({""}));
  const auto text = LineText::make(shown(database), {}, {}, whole());
  ASSERT_TRUE(text.ok());
  EXPECT_THAT(*(*text)->with_title("a \"b\"\n"), StartsWith("[Event \"a \\\"b\\\" \"]\n[Site"));
}

// The games are few, so most of the work is that of the moves.
TEST_F(LineTextTest, StopsSoonAtAnyMoveWhenCancelled) {
  tests::Random random(1);
  tests::ScidFilesBuilder builder = tests::builder_with_names();
  for (int game = 0; game < 80; ++game) {
    builder.game(Entry{}, tests::random_game(random, {.plies = 150, .annotated = false}).record());
  }
  const Shared database = open(builder.files());
  const LineBounds bounds{.plies = 200, .games = 1};
  std::size_t asks = 0;
  std::size_t last = ~std::size_t{0};
  const WorkBudget budget = WorkBudget::unlimited([&] { return ++asks >= last; }, 1);
  const auto text = LineText::make(shown(database), {}, bounds, budget);
  ASSERT_TRUE(text.ok()) << text.status();
  const std::string moves = (*text)->with_title("x").value();
  // Growing, remarks and writing ask once for so many moves each; the scans ask less than that.
  constexpr std::size_t kMovesOfAsk = 32;
  const auto count = static_cast<std::size_t>(std::ranges::count(moves, '{'));
  ASSERT_GT(count, 1500U);
  EXPECT_GE(asks, 3 * count / kMovesOfAsk);
  const std::size_t all = asks;
  for (std::size_t ask = 1; ask <= all; ask += all / 10) {
    last = ask;
    asks = 0;
    EXPECT_TRUE(absl::IsCancelled(LineText::make(shown(database), {}, bounds, budget).status()));
    EXPECT_LE(asks, ask + 4);
  }
}

TEST_F(LineTextTest, ObeysItsBudget) {
  const Shared database = open(example(100));
  EXPECT_EQ(LineText::make(shown(database), {}, {}, WorkBudget::limited(10)).status(),
            WorkBudget::exceeded());
  EXPECT_EQ(LineText::make(shown(database), {}, {}, over()).status(), WorkBudget::cancelled());
}

// Random games that meet again.
class RandomLinesTest : public LineTextTest {
 protected:
  static tests::ScidFiles random_lines(std::size_t games, std::size_t plies, std::uint64_t seed) {
    tests::Random random(seed);
    tests::ScidFilesBuilder builder = tests::builder_with_names();
    for (std::size_t game = 0; game < games; ++game) {
      Entry entry;
      entry.result = static_cast<Result>(random.below(4));
      builder.game(entry, line(random, plies).record());
    }
    return builder.files();
  }
  // A game that has the choice of four moves in each position.
  static tests::ScidEncoder line(tests::Random& random, std::size_t plies) {
    tests::ScidEncoder encoder;
    for (std::size_t ply = random.below(plies + 1); ply > 0; --ply) {
      tests::Random choice(random.below(3) * random.below(3) + 1);
      encoder.move(tests::random_move(encoder.position(), choice));
    }
    return encoder;
  }
};

TEST_F(RandomLinesTest, AreThoseOfTheTables) {
  const Shared database = open(random_lines(600, 16, 1));
  const DatabaseGames set = shown(database);
  for (const LineBounds& bounds :
       std::vector<LineBounds>{{.plies = 4, .games = 1},
                               {.plies = 9, .games = 15},
                               {.games = 30},
                               {.side = Color::White, .plies = 5, .games = 8},
                               {.side = Color::Black, .plies = 6, .games = 4},
                               {.side = Color::White, .plies = 6, .games = 4, .best = 6},
                               {.side = Color::Black, .plies = 6, .games = 4, .best = 2}}) {
    SCOPED_TRACE(line_bounds_text(bounds));
    expect_lines(set, bounds);
  }
  expect_lines(set, {.plies = 4, .games = 10},
               start_at("rnbqkbnr-pppppppp-8-8-8-8-PPPPPPPP-RNBQKBNR_w"));
}

// More games than a sample has.
TEST_F(RandomLinesTest, HaveTheSmallestNumberOfGames) {
  const Shared database = open(random_lines(40'000, 24, 2));
  const auto moves = [&](const LineBounds& bounds) {
    const auto tree = find_line_tree(shown(database), {}, {}, bounds, whole());
    EXPECT_TRUE(tree.ok()) << tree.status();
    return tree.ok() ? std::pair(tree->games, tree->moves.size()) : std::pair(0U, std::size_t{0});
  };
  const auto [games, count] = moves({});
  ASSERT_GT(games, 2U) << "there are too few positions for this test";
  EXPECT_LE(count, LineTree::kFewMoves);
  EXPECT_GT(count, LineTree::kFewMoves / 4);
  EXPECT_EQ(moves({.games = games}).second, count);
  EXPECT_GT(moves({.games = games - 1}).second, LineTree::kFewMoves);
  const auto text = LineText::make(shown(database), {}, {.plies = 200, .games = 1}, whole());
  ASSERT_TRUE(text.ok());
  EXPECT_TRUE(absl::IsUnimplemented((*text)->with_title("x").status()));
}

TEST_F(RandomLinesTest, OfPartsAddUp) {
  const tests::ScidFiles files = random_lines(3000, 30, 3);
  const Shared database = open(files);
  const std::string whole_text = text_of(shown(database), {.games = 5});
  EXPECT_GT(whole_text.size(), 2000U);
  std::vector<DatabaseGames> parts;
  for (GameIndex part = 0; part < 3; ++part) {
    const Shared other = open(files);
    std::vector<GameIndex> games;
    for (const GameIndex game : games_of(shown(other))) {
      if (game % 3 == part) games.push_back(game);
    }
    parts.push_back(set_of(other, games));
  }
  EXPECT_EQ(text_of(GameSet(std::move(parts)), {.games = 5}), whole_text);
}

}  // namespace
}  // namespace scidfs::fs
