// explorer.json against moves.tsv and index.tsv of the same position.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/fs/library_fixture.h"
#include "tests/support/explorer_check.h"
#include "tests/support/files.h"
#include "tests/support/text.h"

namespace scidfs::fs {
namespace {

using testing::IsEmpty;

// A line of a table by the names of its columns.
using TableLine = std::map<std::string, std::string>;
std::vector<TableLine> lines_of(const std::string& table) {
  const std::vector<std::string> lines = tests::split(table, '\n');
  const std::vector<std::string> head = tests::split(lines.at(0), '\t');
  std::vector<TableLine> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    std::vector<std::string> fields = tests::split(lines[i], '\t');
    fields.resize(head.size());
    for (std::size_t column = 0; column < head.size(); ++column) {
      if (column == 0) rows.emplace_back();
      rows.back()[head[column]] = fields[column];
    }
  }
  return rows;
}

unsigned number(const std::string& text) {
  return text.empty() ? 0 : static_cast<unsigned>(std::stoul(text));
}

class ExplorerNumbersTest : public LibraryTest {
 protected:
  // `position`: the directory of a position.
  void check(const std::string& position) {
    SCOPED_TRACE(position);
    const std::string text = this->text(position + "/explorer.json");
    ASSERT_THAT(tests::explorer_faults(text), IsEmpty()) << text;
    const nlohmann::ordered_json explorer = tests::parse_explorer(text);
    check_moves(explorer["moves"], lines_of(this->text(position + "/moves.tsv")));
    check_games(explorer, lines_of(this->text(position + "/index.tsv")));
    ++checked_;
  }

  // The moves are those of moves.tsv that games with a result play, and so are their numbers.
  void check_moves(const nlohmann::ordered_json& moves, const std::vector<TableLine>& table) {
    std::vector<TableLine> expected;
    for (const TableLine& row : table) {
      if (row.at("games") != row.at("unknown")) expected.push_back(row);
    }
    std::ranges::stable_sort(expected, std::greater(), [](const TableLine& row) {
      return number(row.at("games")) - number(row.at("unknown"));
    });
    left_out_ += table.size() - expected.size();
    ASSERT_EQ(moves.size(), expected.size());
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const TableLine& row = expected[i];
      std::string san = moves[i]["san"];
      san.resize(san.find_last_not_of("+#") + 1);
      EXPECT_EQ(san, row.at("san"));
      EXPECT_EQ(moves[i]["uci"], row.at("uci"));
      EXPECT_EQ(moves[i]["white"], number(row.at("white_wins"))) << san;
      EXPECT_EQ(moves[i]["draws"], number(row.at("draws"))) << san;
      EXPECT_EQ(moves[i]["black"], number(row.at("black_wins"))) << san;
      EXPECT_EQ(moves[i]["averageRating"], number(row.at("average_elo"))) << san;
    }
  }

  // The totals are the games of index.tsv without those whose result is `*`; its strongest and its
  // newest games are those that are listed.
  void check_games(const nlohmann::ordered_json& explorer, std::vector<TableLine> games) {
    std::erase_if(games, [](const TableLine& game) { return game.at("result") == "*"; });
    const auto with = [&](const char* result) {
      return std::ranges::count(games, result,
                                [](const TableLine& game) { return game.at("result"); });
    };
    EXPECT_EQ(explorer["white"], with("1-0"));
    EXPECT_EQ(explorer["draws"], with("1/2-1/2"));
    EXPECT_EQ(explorer["black"], with("0-1"));
    std::ranges::stable_sort(games, std::greater(), [](const TableLine& game) {
      return number(game.at("white_elo")) + number(game.at("black_elo"));
    });
    check_list(explorer["topGames"], games);
    std::ranges::sort(games, std::greater(), [](const TableLine& game) {
      std::string date = game.at("date");
      std::ranges::replace(date, '?', '0');
      return std::pair(date, number(game.at("number")));
    });
    check_list(explorer["recentGames"], games);
    std::map<std::string, const TableLine*> by_number;
    for (const TableLine& game : games) by_number[game.at("number")] = &game;
    for (const auto& move : explorer["moves"]) {
      if (!move["game"].is_null()) check_game(move["game"], by_number);
    }
  }
  static void check_list(const nlohmann::ordered_json& list, const std::vector<TableLine>& games) {
    ASSERT_LE(list.size(), games.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      EXPECT_EQ(list[i]["id"], games[i].at("number"));
      check_game(list[i], {{games[i].at("number"), &games[i]}});
    }
  }
  static void check_game(const nlohmann::ordered_json& game,
                         const std::map<std::string, const TableLine*>& by_number) {
    const auto found = by_number.find(game["id"]);
    ASSERT_NE(found, by_number.end()) << game;
    const TableLine& row = *found->second;
    EXPECT_EQ(game["white"]["rating"], number(row.at("white_elo"))) << game;
    EXPECT_EQ(game["black"]["rating"], number(row.at("black_elo"))) << game;
    EXPECT_EQ(game["winner"].is_null(), row.at("result") == "1/2-1/2") << game;
    EXPECT_EQ(game["winner"] == "white", row.at("result") == "1-0") << game;
    for (const std::string side : {"white", "black"}) {
      const std::string name = game[side]["name"];
      EXPECT_EQ(name == "?" ? "" : name, row.at(side)) << game;
    }
  }

  std::size_t checked_ = 0;
  std::size_t left_out_ = 0;  // moves that no game with a result plays
};

// Positions of the main lines of some games of each fixture.
TEST_F(ExplorerNumbersTest, AreThoseOfTheTablesInAllFixtures) {
  constexpr std::size_t kGames = 3;
  constexpr std::size_t kPlies = 9;
  for (const std::string folder : {"scid3", "scid4", "scid5", "sample"}) {
    open(tests::test_data(folder));
    for (const std::string& database : names("")) {
      if (!database.ends_with(".si4") && !database.ends_with(".si3") &&
          !database.ends_with(".si5")) {
        continue;
      }
      for (std::size_t game = 1; game <= kGames; ++game) {
        const std::string fens = database + "/fens/" + std::to_string(game) + ".epd";
        if (!exists(fens)) continue;
        const std::vector<std::string> lines = tests::split(text(fens), '\n');
        for (std::size_t ply = 0; ply < std::min(lines.size(), 3 * kPlies); ply += 3) {
          std::string name = lines[ply].substr(0, lines[ply].find(' ') + 2);
          std::ranges::replace(name, '/', '-');
          std::ranges::replace(name, ' ', '_');
          check(database + "/positions/" + name);
        }
      }
    }
  }
  EXPECT_GT(checked_, 100U);
  EXPECT_GT(left_out_, 0U) << "no game without a result has been left out";
}

TEST_F(ExplorerNumbersTest, AreThoseOfTheTablesInSets) {
  open(tests::test_data("sample/sample.si4"));
  for (const std::string set :
       {"", "deleted/", "players/Carlsen,_Magnus/", "players/Carlsen,_Magnus/white/", "eco/B/",
        "search/result=unknown/", "search/result=1-0/", "search/elo=2700../"}) {
    for (const char* const line : {"tree", "tree/e4", "tree/e4,c5", "tree/d4,Nf6,c4,e6"}) {
      check(set + line);
    }
  }
  EXPECT_EQ(checked_, 32U);
}

}  // namespace
}  // namespace scidfs::fs
