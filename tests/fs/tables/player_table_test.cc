#include "fs/tables/player_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::RatingType;
using codec::Result;

constexpr std::string_view kPlayersHead =
    "name\tgames\twhite\tblack\twins\tdraws\tlosses\tpoints\tscore\tfirst_year\tlast_year\t"
    "highest_elo\tpath\twhite_score\tblack_score\n";

class PlayerTableTest : public SetsTest {
 protected:
  static std::string table(const DatabaseGames& set, const std::optional<Subject>& subject = {},
                           const WorkBudget& budget = whole()) {
    const auto made = PlayerTable::make(set, subject, PlayerTable::Rows::Spellings, budget);
    EXPECT_TRUE(made.ok()) << made.status();
    return made.ok() ? text_of(*open_player_table(set.database(), *made)) : "";
  }

  // The same table, counted game by game.
  static std::string expected(const DatabaseGames& set, const std::optional<Subject>& subject) {
    struct Row {
      std::size_t games = 0, white = 0, black = 0, wins = 0, draws = 0, losses = 0;
      std::set<int> years;
      int elo = 0;
      std::array<double, 2> points{};  // with White, with Black
      std::array<std::size_t, 2> decided{};
    };
    std::map<std::uint32_t, Row> rows;
    const Database& database = *set.database();
    const codec::scid::NameTable& names = database.names()[NameKind::Player];
    for (const GameIndex game : games_of(set)) {
      const codec::scid::GameEntry entry = database.entry(game);
      std::set<std::uint32_t> counted;
      for (const bool white : {true, false}) {
        const std::uint32_t self = white ? entry.white : entry.black;
        std::uint32_t listed = self;
        bool listed_is_white = white;
        if (subject.has_value()) {
          if (!subject->players.contains(self)) continue;
          if (subject->color.has_value() && (*subject->color == Color::White) != white) continue;
          listed = white ? entry.black : entry.white;
          listed_is_white = !white;
        }
        Row& row = rows[std::min(listed, names.size())];
        if (counted.insert(std::min(listed, names.size())).second) ++row.games;
        ++(white ? row.white : row.black);
        if (entry.result != Result::Unknown) {
          const bool won = entry.result == (white ? Result::WhiteWins : Result::BlackWins);
          const std::size_t side = white ? 0 : 1;
          ++row.decided[side];
          row.points[side] += won ? 1 : entry.result == Result::Draw ? 0.5 : 0;
        }
        if (entry.result == Result::Draw) ++row.draws;
        if (entry.result == (white ? Result::WhiteWins : Result::BlackWins)) ++row.wins;
        if (entry.result == (white ? Result::BlackWins : Result::WhiteWins)) ++row.losses;
        if (entry.date.year != 0) row.years.insert(entry.date.year);
        row.elo = std::max<int>(row.elo,
                                (listed_is_white ? entry.white_rating : entry.black_rating).elo());
      }
    }
    using Key = std::tuple<std::size_t, std::string, std::uint32_t>;
    std::map<Key, Row> sorted;
    for (const auto& [id, row] : rows) {
      sorted[{~row.games, std::string(names.text(id)), id}] = row;
    }
    const std::vector<std::string> paths = player_paths(database);
    std::string text(kPlayersHead);
    for (const auto& [key, row] : sorted) {
      const auto& [inverted, name, id] = key;
      const auto points = static_cast<double>(2 * row.wins + row.draws) / 2;
      const std::size_t decided = row.wins + row.draws + row.losses;
      const auto year = [&years = row.years](bool first) {
        if (years.empty()) return std::string();
        return std::to_string(first ? *years.begin() : *years.rbegin());
      };
      char fields[200];
      std::snprintf(fields, sizeof fields, "\t%zu\t%zu\t%zu\t%zu\t%zu\t%zu\t%.1f\t%s\t%s\t%s\t%s\t",
                    row.games, row.white, row.black, row.wins, row.draws, row.losses, points,
                    tenths_of(points, static_cast<double>(decided)).c_str(), year(true).c_str(),
                    year(false).c_str(), row.elo == 0 ? "" : std::to_string(row.elo).c_str());
      text += (name.empty() || name == "?" ? "_unknown" : name) + fields + paths[id];
      for (const std::size_t side : {0U, 1U}) {
        text += '\t' + tenths_of(row.points[side], static_cast<double>(row.decided[side]));
      }
      text += '\n';
    }
    return text;
  }

  static tests::ScidFiles example() {
    return files_of({
        {"Tal, M", "Botvinnik", 2700, 2690, Result::WhiteWins, {1960, 3, 15}},
        {"Botvinnik", "Tal, M", 0, 2710, Result::Draw, {1961}},
        {"Tal, M", "Keres", 2650, 0, Result::Unknown, {}},
        {"Tal, M", "tal_m", 0, 0, Result::BlackWins, {1970}},
        {"Ghost", "Keres", 0, 0, Result::WhiteWins, {1950}, codec::kEcoBases, 0, true},
        {"Tal, M", "Tal, M", 0, 0, Result::WhiteWins, {1980}},
    });
  }
};

TEST_F(PlayerTableTest, ListsAllPlayers) {
  const Shared database = open(example());
  EXPECT_EQ(
      table(shown(database)),
      std::string(kPlayersHead) +
          "Tal, M\t5\t4\t2\t2\t1\t2\t2.5\t50.0\t1960\t1980\t2710\tplayers/ta/Tal,_M\t66.7\t25.0\n"
          "Botvinnik\t2\t1\t1\t0\t1\t1\t0.5\t25.0\t1960\t1961\t2690\tplayers/bo/"
          "Botvinnik\t50.0\t0.0\n"
          "Keres\t1\t0\t1\t0\t0\t0\t0.0\t\t\t\t\tplayers/ke/Keres\t\t\n"
          "tal_m\t1\t0\t1\t1\t0\t0\t1.0\t100.0\t1970\t1970\t\tplayers/ta/tal_m\t\t100.0\n");
}

TEST_F(PlayerTableTest, ListsOpponentsOfSubject) {
  const Shared database = open(example());
  EXPECT_EQ(table(shown(database), subject_of(*database, "Tal, M")),
            std::string(kPlayersHead) +
                "Botvinnik\t2\t1\t1\t1\t1\t0\t1.5\t75.0\t1960\t1961\t2690\tplayers/bo/"
                "Botvinnik\t100.0\t50.0\n"
                "Keres\t1\t1\t0\t0\t0\t0\t0.0\t\t\t\t\tplayers/ke/Keres\t\t\n"
                "Tal, M\t1\t1\t1\t1\t0\t1\t1.0\t50.0\t1980\t1980\t\tplayers/ta/Tal,_M\t100.0\t0.0\n"
                "tal_m\t1\t1\t0\t0\t0\t1\t0.0\t0.0\t1970\t1970\t\tplayers/ta/tal_m\t0.0\t\n");
  EXPECT_EQ(
      table(shown(database), subject_of(*database, "Tal, M", Color::Black)),
      std::string(kPlayersHead) +
          "Botvinnik\t1\t0\t1\t0\t1\t0\t0.5\t50.0\t1961\t1961\t\tplayers/bo/Botvinnik\t\t50.0\n"
          "Tal, M\t1\t0\t1\t0\t0\t1\t0.0\t0.0\t1980\t1980\t\tplayers/ta/Tal,_M\t\t0.0\n");
}

// As `sc_name info` of Scid counts games; each side has its result.
TEST_F(PlayerTableTest, GameOfPlayerAgainstSelfCountsOnce) {
  const Shared database = open(files_of({{"?", "?", 0, 0, Result::WhiteWins},
                                         {"?", "?", 0, 0, Result::Draw},
                                         {"Solo, S", "Solo, S", 0, 0, Result::BlackWins},
                                         {"Tal, M", "Tal, M", 0, 0, Result::Unknown}}));
  const auto line = [](const std::string& fields, const std::string& path,
                       const std::string& scores) {
    return fields + "\t\t\t\tplayers/" + path + '\t' + scores + '\n';
  };
  const std::string unnamed =
      line("_unknown\t2\t2\t2\t1\t2\t1\t2.0\t50.0", "_u/_unknown", "75.0\t25.0");
  const std::string solo = line("Solo, S\t1\t1\t1\t1\t0\t1\t1.0\t50.0", "so/Solo,_S", "0.0\t100.0");
  const std::string tal = line("Tal, M\t1\t1\t1\t0\t0\t0\t0.0\t", "ta/Tal,_M", "\t");
  EXPECT_EQ(table(shown(database)), std::string(kPlayersHead) + unnamed + solo + tal);
  for (const auto& [name, wanted] : std::map<std::string_view, std::string>{
           {"?", unnamed}, {"Solo, S", solo}, {"Tal, M", tal}}) {
    EXPECT_EQ(table(shown(database), subject_of(*database, name)),
              std::string(kPlayersHead) + wanted);
  }
}

// An empty name and `?` are one player without a name. Only Elo ratings are Elo.
TEST_F(PlayerTableTest, ShowsUnknownNamesAndEloAlone) {
  const Shared database = open(files_of({
      {.white = "", .black = "?", .white_elo = 2400, .black_elo = 2500, .system = RatingType::Uscf},
      {.white = "", .black = "Tal, M", .white_elo = 2300},
  }));
  EXPECT_EQ(table(shown(database)),
            std::string(kPlayersHead) +
                "_unknown\t2\t2\t1\t0\t0\t0\t0.0\t\t\t\t2300\tplayers/_u/_unknown\t\t\n"
                "Tal, M\t1\t0\t1\t0\t0\t0\t0.0\t\t\t\t\tplayers/ta/Tal,_M\t\t\n");
}

TEST_F(PlayerTableTest, PlayersWithOnlyDeletedGamesHaveNoPath) {
  const Shared database = open(example());
  EXPECT_EQ(table(deleted(database)),
            std::string(kPlayersHead) +
                "Ghost\t1\t1\t0\t1\t0\t0\t1.0\t100.0\t1950\t1950\t\t\t100.0\t\n" +
                "Keres\t1\t0\t1\t0\t0\t1\t0.0\t0.0\t1950\t1950\t\tplayers/ke/Keres\t\t0.0\n");
}

TEST_F(PlayerTableTest, CollidingNamesHaveListedPaths) {
  const Shared database = open(files_of({{"Tal", "tal"}, {"TAL", "tal "}, {"T l", "T_l"}}));
  const std::string text = table(shown(database));
  for (const char* const path :
       {"players/ta/Tal\t", "players/ta/tal~1\t", "players/ta/TAL~2\t", "players/t_/T_l~"}) {
    EXPECT_THAT(text, ::testing::HasSubstr(path));
  }
}

TEST_F(PlayerTableTest, EmptySetHasOnlyHeader) {
  const Shared database = open(example());
  EXPECT_EQ(table(set_of(database, {}), {}, WorkBudget::limited(0)), kPlayersHead);
}

TEST_F(PlayerTableTest, AgreesWithCountingGameByGame) {
  for (const std::size_t players : {30, 3000, 40000}) {
    const Shared database = open(random_files(9000, players, players));
    ASSERT_TRUE(database->names().status.ok()) << database->names().status;
    const std::vector<std::optional<Subject>> subjects = {
        std::nullopt,
        Subject{.players = NameIds(3)},
        Subject{.players = NameIds(4), .color = Color::Black},
        Subject{.players = NameIds(5), .color = Color::White},
        Subject{},
        several(*database, [](std::uint32_t id) { return id % 3 == 0; })};
    for (const DatabaseGames& set : many_sets(database, 2)) {
      for (const std::optional<Subject>& subject : subjects) {
        const std::string wanted = expected(set, subject);
        EXPECT_EQ(table(set, subject), wanted);
        EXPECT_EQ(table(set, subject, on_one_thread()), wanted);
      }
    }
  }
}

// So many that several threads sort them.
TEST_F(PlayerTableTest, AgreesWithCountingGameByGameForManyPlayers) {
  const Shared database = open(random_files(60'000, 50'000, 5));
  const auto made =
      PlayerTable::make(shown(database), std::nullopt, PlayerTable::Rows::Spellings, whole());
  ASSERT_TRUE(made.ok());
  EXPECT_GT((*made)->players(), 20'000U);
  const std::string text = text_of(*open_player_table(database, *made));
  EXPECT_TRUE(text == expected(shown(database), std::nullopt));
  EXPECT_TRUE(text == table(shown(database), std::nullopt, on_one_thread()));
}

TEST_F(PlayerTableTest, AnyRangeCanBeRead) {
  const Shared database = open(random_files(9000, 3000, 1));
  const auto made =
      PlayerTable::make(shown(database), std::nullopt, PlayerTable::Rows::Spellings, whole());
  ASSERT_TRUE(made.ok());
  EXPECT_GT((*made)->players(), 2000U) << "several sections";
  const auto content = open_player_table(database, *made);
  const std::string all = text_of(*content);
  tests::Random random(2);
  for (int i = 0; i < 50; ++i) {
    const std::size_t offset = random.below(all.size());
    const std::size_t length = random.below(all.size() - offset + 1);
    std::string part;
    ASSERT_TRUE(content->read(offset, length, part).ok());
    EXPECT_EQ(part, all.substr(offset, length));
  }
}

TEST_F(PlayerTableTest, UsesTensOfBytesPerPlayer) {
  const Shared database = open(random_files(9000, 3000, 1));
  const auto all =
      PlayerTable::make(shown(database), std::nullopt, PlayerTable::Rows::Spellings, whole());
  ASSERT_TRUE(all.ok());
  constexpr std::size_t kBytes = 48;
  EXPECT_GE((*all)->memory(), kBytes * (*all)->players());
  EXPECT_LE((*all)->memory(), kBytes * (*all)->players() + 300);
  const auto few = PlayerTable::make(set_of(database, {1, 2}), std::nullopt,
                                     PlayerTable::Rows::Spellings, whole());
  ASSERT_TRUE(few.ok());
  EXPECT_LE((*few)->memory(), 600U);
}

TEST_F(PlayerTableTest, RespectsBudget) {
  const Shared database = open(random_files(9000, 3000, 1));
  const auto make = [&](const DatabaseGames& set, const WorkBudget& budget) {
    return PlayerTable::make(set, std::nullopt, PlayerTable::Rows::Spellings, budget).status();
  };
  EXPECT_EQ(make(shown(database), WorkBudget::limited(300)), WorkBudget::exceeded());
  EXPECT_EQ(make(shown(database), over()), WorkBudget::cancelled());
  EXPECT_EQ(make(set_of(database, {1, 2, 3}), WorkBudget::limited(0)), WorkBudget::exceeded());
  EXPECT_TRUE(make(set_of(database, {1, 2, 3}), WorkBudget::limited(1)).ok());
}

}  // namespace
}  // namespace scidfs::fs
