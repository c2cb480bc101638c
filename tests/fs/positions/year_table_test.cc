#include "fs/positions/year_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {
namespace {

using codec::Result;

constexpr std::string_view kYearsHead =
    "year\tgames\twhite_wins\tdraws\tblack_wins\tscore\taverage_elo\tbest_move\n";

class YearTableTest : public SetsTest {
 protected:
  static std::string table(const DatabaseGames& set, const WorkBudget& budget = whole()) {
    const auto text = year_table(set, budget);
    EXPECT_TRUE(text.ok()) << text.status();
    return text.value_or("");
  }

  // The same table, counted game by game.
  static std::string expected(const DatabaseGames& set) {
    struct Row {
      int games = 0, wins = 0, draws = 0, losses = 0, rated = 0;
      double elo = 0;
    };
    constexpr int kLast = 9999;
    std::map<int, Row> rows;
    for (const GameIndex game : games_of(set)) {
      const codec::scid::GameEntry entry = set.database()->entry(game);
      Row& row = rows[entry.date.year == 0 ? kLast : entry.date.year];
      ++row.games;
      row.wins += entry.result == Result::WhiteWins ? 1 : 0;
      row.draws += entry.result == Result::Draw ? 1 : 0;
      row.losses += entry.result == Result::BlackWins ? 1 : 0;
      for (const int elo : {entry.white_rating.elo(), entry.black_rating.elo()}) {
        row.rated += elo != 0 ? 1 : 0;
        row.elo += elo;
      }
    }
    std::string text(kYearsHead);
    for (const auto& [year, row] : rows) {
      text += (year == kLast ? "_unknown" : std::to_string(year)) + '\t' +
              std::to_string(row.games) + '\t' + std::to_string(row.wins) + '\t' +
              std::to_string(row.draws) + '\t' + std::to_string(row.losses) + '\t' +
              tenths_of(row.wins + row.draws / 2.0, row.wins + row.draws + row.losses) + '\t' +
              (row.rated == 0
                   ? ""
                   : std::to_string(static_cast<int>(std::floor(row.elo / row.rated + 0.5)))) +
              "\t\n";
    }
    return text;
  }
};

TEST_F(YearTableTest, ListsYearsInOrderAndGamesWithoutAYearLast) {
  const Shared database = open(files_of({
      {"a", "b", 2400, 2501, Result::WhiteWins, {2001}},
      {"a", "b", 0, 2600, Result::Draw, {2001}},
      {"a", "b", 0, 0, Result::Unknown, {}},
      {"a", "b", 0, 0, Result::BlackWins, {1851}},
      {"a", "b", 0, 0, Result::WhiteWins, {1850}, codec::kEcoBases, 0, true},
  }));
  EXPECT_EQ(table(shown(database)), std::string(kYearsHead) +
                                        "1851\t1\t0\t0\t1\t0.0\t\t\n"
                                        "2001\t2\t1\t1\t0\t75.0\t2500\t\n"
                                        "_unknown\t1\t0\t0\t0\t\t\t\n");
}

TEST_F(YearTableTest, AgreesWithCountingGameByGame) {
  const Shared database = open(random_files(9000, 300, 1));
  for (const DatabaseGames& set : many_sets(database, 2)) {
    const std::string wanted = expected(set);
    EXPECT_EQ(table(set), wanted);
    EXPECT_EQ(table(set, on_one_thread()), wanted);
  }
}

TEST_F(YearTableTest, RespectsBudget) {
  const Shared database = open(random_files(5000, 30, 1));
  EXPECT_EQ(table(set_of(database, {}), WorkBudget::limited(0)), kYearsHead);
  EXPECT_EQ(year_table(shown(database), WorkBudget::limited(4)).status(), WorkBudget::exceeded());
  EXPECT_EQ(year_table(shown(database), over()).status(), WorkBudget::cancelled());
}

// Of equally frequent moves the first by SAN, in any order of games and threads.
TEST_F(YearTableTest, NamesMostFrequentMove) {
  const codec::Position start = codec::TargetPosition{}.position;
  const auto move = [&](std::string_view san) { return *codec::TargetPosition{}.parse_move(san); };
  const auto game = [](std::uint32_t year) {
    return MoveTally::Game{.result = Result::Draw, .elo = {2000, 0}, .year = year};
  };
  YearTally one;
  YearTally other;
  one.add(game(1990), move("e4"), codec::Color::White);
  one.add(game(1990), move("d4"), codec::Color::White);
  other.add(game(1990), move("e4"), codec::Color::White);
  other.add(game(1991), move("e4"), codec::Color::White);
  other.add(game(1991), move("Nf3"), codec::Color::White);
  other.add(game(1992), std::nullopt, codec::Color::White);
  one += other;
  EXPECT_EQ(one.table(&start), std::string(kYearsHead) +
                                   "1990\t3\t0\t3\t0\t50.0\t2000\te4\n"
                                   "1991\t2\t0\t2\t0\t50.0\t2000\tNf3\n"
                                   "1992\t1\t0\t1\t0\t50.0\t2000\t\n");
}

}  // namespace
}  // namespace scidfs::fs
