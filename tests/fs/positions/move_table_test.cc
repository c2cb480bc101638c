#include "fs/positions/move_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "codec/movegen.h"
#include "codec/san.h"
#include "tests/support/random_game.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::Move;
using codec::Position;
using codec::Result;
using Game = MoveTally::Game;

codec::EcoCode eco(unsigned base) { return static_cast<codec::EcoCode>(1 + 131 * base); }

std::optional<Move> move_of(const Position& position, std::string_view san) {
  std::optional<Move> move = codec::parse_san(position, san);
  EXPECT_TRUE(move.has_value()) << san;
  return move;
}

TEST(MoveTable, IsEmptyWithoutGames) {
  const MoveTable table = MoveTally().table(Position());
  EXPECT_TRUE(table.moves().empty());
  EXPECT_EQ(table.all().score.all(), 0U);
  EXPECT_EQ(table.eco().lowest, codec::kEcoBases);
  EXPECT_EQ(table.eco().highest, codec::kEcoBases);
  EXPECT_EQ(table.eco().most, codec::kEcoBases);
}

TEST(MoveTable, CountsGamesByNextMove) {
  const Position start;
  MoveTally tally;
  const auto d4 = move_of(start, "d4");
  const auto e4 = move_of(start, "e4");
  tally.add({.result = Result::WhiteWins, .elo = {2400, 2500}, .year = 1999, .eco = eco(7)}, e4,
            Color::White);
  tally.add({.result = Result::Draw, .elo = {0, 2301}, .year = 1980}, d4, Color::White);
  tally.add({.result = Result::BlackWins, .elo = {2301, 0}, .eco = eco(9)}, d4, Color::White);
  tally.add({}, move_of(start, "a3"), Color::White);
  tally.add({.year = 2001}, std::nullopt, Color::White);
  const MoveTable table = std::move(tally).table(start);

  ASSERT_EQ(table.moves().size(), 3U);
  const PlayedMove& first = table.moves()[0];
  EXPECT_EQ(first.san, "d4");
  EXPECT_EQ(first.move, *d4);
  EXPECT_EQ(first.games.score.games, (std::array<std::uint32_t, 4>{0, 1, 1, 0}));
  EXPECT_EQ(first.games.elo.value(), 2301U);
  EXPECT_EQ(first.games.against.value(), 2301U);
  EXPECT_EQ(first.games.first_year, 1980U);
  EXPECT_EQ(first.games.last_year, 1980U);
  EXPECT_EQ(table.moves()[1].san, "a3") << "as many games: by name";
  EXPECT_EQ(table.moves()[2].san, "e4");
  EXPECT_EQ(table.all().score.games, (std::array<std::uint32_t, 4>{1, 1, 1, 2}));
  EXPECT_EQ(table.all().elo.count, 2U);
  EXPECT_EQ(table.all().against.sum, 4801U);
  EXPECT_EQ(table.all().first_year, 1980U) << "not a year that is unknown";
  EXPECT_EQ(table.all().last_year, 2001U);
  EXPECT_EQ(table.eco().lowest, 7U);
  EXPECT_EQ(table.eco().highest, 9U);
  EXPECT_EQ(table.eco().most, 7U) << "of two the lowest";
}

TEST(MoveTable, RatingsBelongToSideToMove) {
  const auto position = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1");
  ASSERT_TRUE(position.ok());
  MoveTally tally;
  tally.add({.elo = {2000, 1000}}, std::nullopt, Color::Black);
  const MoveTable table = std::move(tally).table(*position);
  EXPECT_EQ(table.all().elo.value(), 1000U);
  EXPECT_EQ(table.all().against.value(), 2000U);
}

TEST(MoveTable, DistinguishesMovesWithEqualSquares) {
  // In a position from a game with kings on any squares, castling can have the same target as a
  // king's move.
  const auto position = Position::from_fen("4k3/P7/8/8/8/8/8/4K2R w K - 0 1");
  ASSERT_TRUE(position.ok());
  Move castling = *move_of(*position, "O-O");
  Move king = castling;
  king.kind = codec::MoveKind::Normal;
  std::vector<Move> moves = {castling, king, *move_of(*position, "--")};
  for (const char* const san : {"a8=Q", "a8=R", "a8=B", "a8=N", "Kf1"}) {
    moves.push_back(*move_of(*position, san));
  }
  MoveTally tally;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    for (std::size_t times = i; times < moves.size(); ++times) {
      tally.add({}, moves[i], Color::White);
    }
  }
  const MoveTable table = std::move(tally).table(*position);
  ASSERT_EQ(table.moves().size(), moves.size());
  const std::vector<std::string> names = {"O-O",  "Kg1",  "--",   "a8=Q",
                                          "a8=R", "a8=B", "a8=N", "Kf1"};
  for (std::size_t i = 0; i < moves.size(); ++i) {
    EXPECT_EQ(table.moves()[i].move, moves[i]) << i;
    EXPECT_EQ(table.moves()[i].san, names[i]) << "without a check mark";
    EXPECT_EQ(table.moves()[i].games.score.all(), moves.size() - i);
  }
}

TEST(MoveTable, RangeOfCodesOmitsRareOnes) {
  MoveTally tally;
  tally.add({.eco = eco(0)}, std::nullopt, Color::White);
  for (int i = 0; i < 2; ++i) tally.add({.eco = eco(20)}, std::nullopt, Color::White);
  for (int i = 0; i < 196; ++i) tally.add({.eco = eco(30)}, std::nullopt, Color::White);
  tally.add({.eco = eco(499)}, std::nullopt, Color::White);
  for (int i = 0; i < 1000; ++i) tally.add({}, std::nullopt, Color::White);
  const MoveTable table = std::move(tally).table(Position());
  EXPECT_EQ(table.eco().lowest, 20U);
  EXPECT_EQ(table.eco().highest, 30U);
  EXPECT_EQ(table.eco().most, 30U);
}

TEST(MoveTable, RangeOfCodesContainsMostFrequentOne) {
  MoveTally tally;
  for (unsigned base = 0; base < codec::kEcoBases; ++base) {
    tally.add({.eco = eco(base)}, std::nullopt, Color::White);
  }
  tally.add({.eco = eco(77)}, std::nullopt, Color::White);
  const MoveTable table = std::move(tally).table(Position());
  EXPECT_EQ(table.eco().lowest, 77U);
  EXPECT_EQ(table.eco().highest, 77U);
  EXPECT_EQ(table.eco().most, 77U);
}

// Random games in any number of tallies give the same as plain maps.
TEST(MoveTable, AgreesWithCountingGameByGame) {
  tests::Random random(1);
  for (const std::string& fen : tests::example_fens()) {
    const auto position = Position::from_fen(fen);
    ASSERT_TRUE(position.ok()) << fen;
    const Color side = position->side_to_move();
    const auto legal = codec::legal_moves(*position);
    struct Row {
      std::map<Result, std::uint32_t> results;
      std::uint64_t games = 0, sum = 0, rated = 0, sum_against = 0, rated_against = 0;
      std::set<std::uint32_t> years;  // that are known
      GameOfPart last_decided{.part = 0, .game = 0};
    };
    std::map<std::string, Row> rows;
    std::map<unsigned, std::uint64_t> ecos;
    std::uint64_t coded = 0;
    std::vector<MoveTally> tallies(3);
    for (int i = 0; i < 3000; ++i) {
      Game game;
      game.result = static_cast<Result>(random.below(4));
      game.elo = {static_cast<std::uint32_t>(random.below(3) * 1000),
                  static_cast<std::uint32_t>(random.below(3000))};
      game.year = static_cast<std::uint32_t>(random.below(2030));
      game.eco = random.one_in(9)
                     ? codec::EcoCode{0}
                     : static_cast<codec::EcoCode>(1 + random.below(1 + random.below(65500)));
      std::optional<Move> next;
      std::string name = "end";
      if (!random.one_in(10) && legal.begin() != legal.end()) {
        const auto count = static_cast<std::size_t>(legal.end() - legal.begin());
        next = *(legal.begin() + random.below(1 + random.below(count)));
        name = codec::to_san(*position, *next);
        name.resize(name.find_last_not_of("+#") + 1);
      }
      game.place = {.part = static_cast<std::uint32_t>(random.below(3)),
                    .game = static_cast<GameIndex>(random.below(1'000'000))};
      tallies[random.below(tallies.size())].add(game, next, side);
      for (Row* const row : {&rows[name], &rows["all"]}) {
        ++row->games;
        ++row->results[game.result];
        const std::uint32_t own = side == Color::White ? game.elo[0] : game.elo[1];
        const std::uint32_t other = side == Color::White ? game.elo[1] : game.elo[0];
        row->sum += own;
        row->rated += own != 0 ? 1 : 0;
        row->sum_against += other;
        row->rated_against += other != 0 ? 1 : 0;
        if (game.year != 0) row->years.insert(game.year);
        if (game.result != Result::Unknown) {
          row->last_decided = std::max(row->last_decided, game.place);
        }
      }
      if (const std::string code = codec::eco_to_string(game.eco); !code.empty()) {
        ++ecos[codec::parse_eco_base(code.substr(0, 3))];
        ++coded;
      }
    }
    MoveTally all = tallies[0];
    all += tallies[1];
    all += tallies[2];
    const MoveTable table = std::move(all).table(*position);
    const auto expect = [&](const MoveScore& games, Row row) {
      EXPECT_EQ(games.score.all(), row.games);
      EXPECT_EQ(games.score[Outcome::Win], row.results[Result::WhiteWins]);
      EXPECT_EQ(games.score[Outcome::Draw], row.results[Result::Draw]);
      EXPECT_EQ(games.score[Outcome::Loss], row.results[Result::BlackWins]);
      EXPECT_EQ(games.elo.sum, row.sum);
      EXPECT_EQ(games.elo.count, row.rated);
      EXPECT_EQ(games.against.sum, row.sum_against);
      EXPECT_EQ(games.against.count, row.rated_against);
      EXPECT_EQ(games.first_year, row.years.empty() ? 0 : *row.years.begin());
      EXPECT_EQ(games.last_year, row.years.empty() ? 0 : *row.years.rbegin());
      EXPECT_EQ(games.last_decided, row.last_decided);
    };
    expect(table.all(), rows["all"]);
    EXPECT_EQ(table.moves().size() + 1 + (rows.contains("end") ? 1 : 0), rows.size());
    for (const PlayedMove& move : table.moves()) expect(move.games, rows[move.san]);
    EXPECT_TRUE(std::ranges::is_sorted(table.moves(), {}, [](const PlayedMove& move) {
      return std::pair(~move.games.score.all(), move.san);
    }));
    std::uint64_t most = 0;
    for (const auto& [base, games] : ecos) most = std::max(most, games);
    const auto has_most = [&](const auto& entry) { return entry.second == most; };
    EXPECT_EQ(table.eco().most, std::ranges::find_if(ecos, has_most)->first);
    std::vector<unsigned> frequent = {table.eco().most};
    for (const auto& [base, games] : ecos) {
      if (games * 100 >= coded) frequent.push_back(base);
    }
    EXPECT_EQ(table.eco().lowest, std::ranges::min(frequent));
    EXPECT_EQ(table.eco().highest, std::ranges::max(frequent));
    EXPECT_GE(table.memory(), sizeof(MoveTable) + table.moves().size() * sizeof(PlayedMove));
  }
}

}  // namespace
}  // namespace scidfs::fs
