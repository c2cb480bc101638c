#include "fs/pages/notable_games.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

#include "codec/uci.h"
#include "fs/pages/explorer_json.h"
#include "tests/fs/pages/pages_fixture.h"

namespace scidfs::fs {
namespace {

using codec::Result;
using testing::ElementsAre;
using testing::IsEmpty;

class NotableGamesTest : public PagesTest {
 protected:
  // Numbers from 0.
  static std::vector<GameIndex> numbers(const std::vector<NotableGame>& games) {
    std::vector<GameIndex> numbers;
    for (const NotableGame& game : games) numbers.push_back(game.game.game);
    return numbers;
  }
  // As UCI; empty where the game ends.
  static std::vector<std::string> moves(const std::vector<NotableGame>& games) {
    std::vector<std::string> moves;
    for (const NotableGame& game : games) {
      moves.push_back(game.next.has_value() ? codec::to_uci(*game.next) : "");
    }
    return moves;
  }
  static std::vector<GameIndex> first(std::vector<GameIndex> games, std::size_t most) {
    games.resize(std::min(games.size(), most));
    return games;
  }
};

TEST_F(NotableGamesTest, AreTheStrongestAndTheNewest) {
  const Shared database = open(files_of_games({
      {.moves = "e4", .result = Result::Draw, .white_elo = 2400, .black_elo = 2300},
      {.moves = "d4", .result = Result::Draw, .white_elo = 2700, .date = {2001}},
      {.moves = "c4 e5", .result = Result::WhiteWins, .black_elo = 2800, .date = {2001, 1}},
      {.moves = "", .result = Result::BlackWins, .date = {2001, 1, 31}},
      {.moves = "Nf3", .white_elo = 2800, .black_elo = 2800, .date = {2026, 1, 1}},
      {.moves = "b3", .result = Result::Draw, .white_elo = 2300, .black_elo = 2400},
      {.moves = "g3", .result = Result::Draw, .date = {2001, 1, 31}},
  }));
  const NotableGames games = notable_of(shown(database), after({}), 15, 8);
  // Game 4 has no result.
  EXPECT_THAT(numbers(games.strongest), ElementsAre(0, 5, 2, 1, 3, 6)) << "of two the first";
  EXPECT_THAT(numbers(games.newest), ElementsAre(6, 3, 2, 1, 5, 0)) << "of two the last";
  EXPECT_THAT(moves(games.strongest), ElementsAre("e2e4", "b2b3", "c2c4", "d2d4", "", "g2g3"));
  EXPECT_THAT(moves(games.newest), ElementsAre("g2g3", "", "c2c4", "d2d4", "b2b3", "e2e4"));
}

TEST_F(NotableGamesTest, TellTheMoveOfThePosition) {
  const Shared database = open(files_of_games({
      {.moves = "e4 e5 Nf3", .result = Result::Draw},
      {.moves = "e4 e5", .result = Result::Draw},
      {.moves = "e3 e5 e4 Nf6", .result = Result::Draw},
      {.moves = "d4", .result = Result::Draw},
  }));
  const codec::TargetPosition target = after({"e4", "e5"});
  const NotableGames games = notable_of(set_of(database, {0, 1}), target, 9, 9);
  EXPECT_THAT(numbers(games.strongest), ElementsAre(0, 1));
  EXPECT_THAT(moves(games.strongest), ElementsAre("g1f3", ""));
  // A tempo less, so White has moved twice: another side is to move there.
  const NotableGames black = notable_of(set_of(database, {2}), after({"e3", "e5", "e4"}), 9, 9);
  EXPECT_THAT(moves(black.newest), ElementsAre("g8f6"));
}

TEST_F(NotableGamesTest, AreAtMostSoMany) {
  std::vector<Game> many(30, Game{.moves = "e4", .result = Result::Draw});
  for (std::size_t i = 0; i < many.size(); ++i) {
    many[i].white_elo = static_cast<std::uint16_t>(2000 + i);
    many[i].date.year = static_cast<std::uint16_t>(1990 + i);
  }
  const Shared database = open(files_of_games(many));
  const NotableGames games = notable_of(shown(database), after({}), kTopGames, kRecentGames);
  EXPECT_THAT(numbers(games.strongest),
              ElementsAre(29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15));
  EXPECT_THAT(numbers(games.newest), ElementsAre(29, 28, 27, 26, 25, 24, 23, 22));
  const NotableGames none = notable_of(shown(database), after({}), 0, 0);
  EXPECT_THAT(none.strongest, IsEmpty());
  EXPECT_THAT(none.newest, IsEmpty());
}

TEST_F(NotableGamesTest, AreNoneWithoutAResult) {
  const Shared database = open(files_of_games({{.moves = "e4", .white_elo = 2000}}));
  for (const DatabaseGames& set : {shown(database), set_of(database, {})}) {
    const NotableGames games = notable_of(set, after({}), 15, 8);
    EXPECT_THAT(games.strongest, IsEmpty());
    EXPECT_THAT(games.newest, IsEmpty());
  }
}

// Of sets of any kind, on one thread and on several, what a sort of all their games begins with.
TEST_F(NotableGamesTest, AreWhatTheGamesSay) {
  const Shared database = open(random_files(20'000, 300, 1));
  for (const DatabaseGames& set : many_sets(database, 2)) {
    std::vector<GameIndex> games = games_of(set);
    std::erase_if(games,
                  [&](GameIndex game) { return database->entry(game).result == Result::Unknown; });
    std::ranges::sort(games, {}, [&](GameIndex game) {
      const codec::scid::GameEntry entry = database->entry(game);
      return std::tuple(-(entry.white_rating.elo() + entry.black_rating.elo()), game);
    });
    const std::vector<GameIndex> strongest = first(games, kTopGames);
    std::ranges::sort(games, std::greater(),
                      [&](GameIndex game) { return std::tuple(database->entry(game).date, game); });
    const std::vector<GameIndex> newest = first(games, kRecentGames);
    for (const WorkBudget& budget : {whole(), on_one_thread()}) {
      const NotableGames found = notable_of(set, after({}), kTopGames, kRecentGames, budget);
      EXPECT_EQ(numbers(found.strongest), strongest);
      EXPECT_EQ(numbers(found.newest), newest);
    }
  }
}

TEST_F(NotableGamesTest, EffortsHaveAnEnd) {
  const Shared database = open(random_files(5000, 30, 1));
  const auto status = [&](const DatabaseGames& set, const WorkBudget& budget) {
    return notable_games(set, after({}), kTopGames, kRecentGames, budget).status();
  };
  EXPECT_EQ(status(set_of(database, {}), WorkBudget::limited(0)), absl::OkStatus());
  EXPECT_EQ(status(shown(database), WorkBudget::limited(2)), WorkBudget::exceeded());
  EXPECT_EQ(status(shown(database), WorkBudget::limited(10)), WorkBudget::exceeded())
      << "enough for the columns, not for the games";
  EXPECT_EQ(status(shown(database), over()), WorkBudget::cancelled());
}

}  // namespace
}  // namespace scidfs::fs
