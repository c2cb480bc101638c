#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "codec/eco.h"
#include "fs/tables/set_tables.h"
#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {
namespace {

using codec::Result;

constexpr std::string_view kOpeningsHead =
    "eco\tname\tgames\twhite_wins\tdraws\tblack_wins\tscore\taverage_year\taverage_elo\tpath\n";
constexpr unsigned kB90 = 190;

class OpeningTableTest : public SetsTest {
 protected:
  static std::string table(const DatabaseGames& set, const WorkBudget& budget = whole()) {
    const auto text = opening_table(set, budget);
    EXPECT_TRUE(text.ok()) << text.status();
    return text.value_or("");
  }

  // The same table, counted game by game.
  static std::string expected(const DatabaseGames& set) {
    struct Row {
      int games = 0, wins = 0, draws = 0, losses = 0;
      std::vector<int> years, elos;
    };
    std::map<std::string, Row> rows;
    for (const GameIndex game : games_of(set)) {
      const codec::scid::GameEntry entry = set.database()->entry(game);
      Row& row = rows[codec::eco_to_string(entry.eco).substr(0, 3)];
      ++row.games;
      row.wins += entry.result == Result::WhiteWins ? 1 : 0;
      row.draws += entry.result == Result::Draw ? 1 : 0;
      row.losses += entry.result == Result::BlackWins ? 1 : 0;
      if (entry.date.year != 0) row.years.push_back(entry.date.year);
      for (const int elo : {entry.white_rating.elo(), entry.black_rating.elo()}) {
        if (elo != 0) row.elos.push_back(elo);
      }
    }
    std::set<std::string> shown_codes;
    for (const GameIndex game : games_of(shown(set.database()))) {
      shown_codes.insert(codec::eco_to_string(set.database()->entry(game).eco).substr(0, 3));
    }
    const auto path = [&](const std::string& code) -> std::string {
      if (!shown_codes.contains(code)) return "";
      return code.empty() ? "eco/_unknown" : "eco/" + code.substr(0, 1) + '/' + code;
    };
    std::map<std::pair<int, std::string>, Row> sorted;
    for (const auto& [code, row] : rows) sorted[{-row.games, code}] = row;
    const auto average = [](const std::vector<int>& values) {
      if (values.empty()) return std::string();
      double sum = 0;
      for (const int value : values) sum += value;
      return std::to_string(
          static_cast<int>(std::floor(sum / static_cast<double>(values.size()) + 0.5)));
    };
    std::string text(kOpeningsHead);
    for (const auto& [key, row] : sorted) {
      const std::string& code = key.second;
      text += (code.empty() ? "_unknown" : code) + "\t\t" + std::to_string(row.games) + '\t' +
              std::to_string(row.wins) + '\t' + std::to_string(row.draws) + '\t' +
              std::to_string(row.losses) + '\t' +
              tenths_of(row.wins + row.draws / 2.0, row.wins + row.draws + row.losses) + '\t' +
              average(row.years) + '\t' + average(row.elos) + '\t' + path(code) + '\n';
    }
    return text;
  }
};

TEST_F(OpeningTableTest, SortsByNumberOfGames) {
  const Shared database = open(files_of({
      {"a", "b", 2400, 2501, Result::WhiteWins, {2000}, kB90},
      {"a", "b", 0, 2600, Result::Draw, {2001}, kB90},
      {"a", "b", 0, 0, Result::Unknown, {}, kB90},
      {"a", "b", 0, 0, Result::BlackWins, {1999}},
      {"a", "b", 0, 0, Result::Unknown, {}, 0},
      {"a", "b", 0, 0, Result::WhiteWins, {}, 499, 0, true},
      {"a", "b", 0, 0, Result::WhiteWins, {}, 0, 0, true},
  }));
  EXPECT_EQ(table(shown(database)), std::string(kOpeningsHead) +
                                        "B90\t\t3\t1\t1\t0\t75.0\t2001\t2500\teco/B/B90\n"
                                        "_unknown\t\t1\t0\t0\t1\t0.0\t1999\t\teco/_unknown\n"
                                        "A00\t\t1\t0\t0\t0\t\t\t\teco/A/A00\n");
  EXPECT_EQ(table(deleted(database)), std::string(kOpeningsHead) +
                                          "A00\t\t1\t1\t0\t0\t100.0\t\t\teco/A/A00\n"
                                          "E99\t\t1\t1\t0\t0\t100.0\t\t\t\n")
      << "no shown game has that code";
}

TEST_F(OpeningTableTest, ShowsNamesOfCodes) {
  auto reference = std::make_shared<Reference>();
  reference->openings = std::make_shared<const OpeningNames>("B90a \"Najdorf\" 1.e4 *\n");
  const Shared database =
      open(files_of({{"a", "b", 0, 0, Result::Draw, {}, kB90}, {"a", "b", 0, 0, Result::Draw}}),
           {.pgn = {}, .reference = reference});
  EXPECT_EQ(table(shown(database)), std::string(kOpeningsHead) +
                                        "_unknown\t\t1\t0\t1\t0\t50.0\t\t\teco/_unknown\n"
                                        "B90\tNajdorf\t1\t0\t1\t0\t50.0\t\t\teco/B/B90\n");
}

TEST_F(OpeningTableTest, AgreesWithCountingGameByGame) {
  const Shared database = open(random_files(9000, 300, 1));
  for (const DatabaseGames& set : many_sets(database, 2)) {
    const std::string wanted = expected(set);
    EXPECT_EQ(table(set), wanted);
    EXPECT_EQ(table(set, on_one_thread()), wanted);
  }
}

TEST_F(OpeningTableTest, RespectsBudget) {
  const Shared database = open(random_files(5000, 30, 1));
  EXPECT_EQ(table(set_of(database, {}), WorkBudget::limited(0)), kOpeningsHead);
  EXPECT_EQ(opening_table(shown(database), WorkBudget::limited(4)).status(),
            WorkBudget::exceeded());
  EXPECT_TRUE(opening_table(shown(database), WorkBudget::limited(5)).ok());
  EXPECT_EQ(opening_table(shown(database), over()).status(), WorkBudget::cancelled());
}

}  // namespace
}  // namespace scidfs::fs
