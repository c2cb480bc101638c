#include "fs/database/game_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fs/database/game_content.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/fs/database/listed_games.h"
#include "tests/support/scid_database.h"

namespace scidfs::fs {
namespace {

using GameSetTest = DatabaseTest;

TEST_F(GameSetTest, ViewsListOfDatabase) {
  const Shared database = open(example(100));
  const DatabaseGames set(database, database->loaded().deleted());
  EXPECT_EQ(games_in(set), (std::vector<GameIndex>{9, 19, 29, 39, 49, 59, 69, 79, 89, 99}));
  EXPECT_EQ(set.count(1000), 10U);
  EXPECT_EQ(set.count(3), 3U);
  EXPECT_FALSE(set.empty());
  EXPECT_EQ(set.database(), database);
}

TEST_F(GameSetTest, OwnedListOutlivesOriginal) {
  const std::vector<GameIndex> games = {0, 3, 4, 70};
  std::optional<DatabaseGames> copy;
  {
    const DatabaseGames set(open(example(100)), deltas_of(games));
    copy = set;
    EXPECT_GT(set.memory(), sizeof(DatabaseGames));
  }
  EXPECT_EQ(games_in(*copy), games);
  const auto content = open_games(*std::move(copy), WorkBudget::limited(4));
  ASSERT_TRUE(content.ok()) << content.status();
  EXPECT_FALSE(text_of(**content).empty());
}

TEST_F(GameSetTest, EmptySetHasEmptyText) {
  const Shared database = open(example(10));
  for (const DatabaseGames& set :
       {DatabaseGames(database, DeltaList()), DatabaseGames(database, GameList())}) {
    EXPECT_TRUE(set.empty());
    EXPECT_EQ(set.count(1), 0U);
    const auto content = open_games(set, WorkBudget::limited(0));
    ASSERT_TRUE(content.ok()) << content.status();
    EXPECT_EQ((*content)->size(), 0U);
    EXPECT_EQ(text_of(**content), "");
  }
}

TEST_F(GameSetTest, TextIsConcatenationOfGames) {
  const tests::ScidFiles files = example(3000);
  const Shared database = open(files);
  const auto texts = tests::ScidDatabase(files, ".si4").render_games();
  const DatabaseGames set(database, database->lists().player_games().games(3));
  std::string expected;
  for (const GameIndex game : games_in(set)) expected += texts[game].text;
  const auto content = open_games(set, WorkBudget::unlimited([] { return false; }));
  ASSERT_TRUE(content.ok()) << content.status();
  ASSERT_EQ(text_of(**content), expected);
  for (std::size_t offset = 0; offset < expected.size(); offset += 9973) {
    const std::size_t length = std::min<std::size_t>(4096, expected.size() - offset);
    std::string part;
    ASSERT_TRUE((*content)->read(offset, length, part).ok());
    ASSERT_EQ(part, expected.substr(offset, length)) << offset;
  }
  std::string none;
  EXPECT_FALSE((*content)->read(expected.size(), 1, none).ok());
}

TEST_F(GameSetTest, OpenRespectsBudget) {
  const Shared database = open(example(50));
  const DatabaseGames set(database, database->shown());
  EXPECT_TRUE(absl::IsUnavailable(open_games(set, WorkBudget::limited(44)).status()));
  EXPECT_TRUE(open_games(set, WorkBudget::limited(45)).ok());
  EXPECT_TRUE(open_games(set, WorkBudget::limited(0)).ok());
  EXPECT_TRUE(absl::IsUnavailable(open_game(database, 9, WorkBudget::limited(0)).status()));
  EXPECT_TRUE(open_game(database, 9, WorkBudget::limited(1)).ok());
  EXPECT_TRUE(open_game(database, 9, WorkBudget::limited(0)).ok());
  EXPECT_TRUE(absl::IsCancelled(open_games(DatabaseGames(database, database->loaded().deleted()),
                                           WorkBudget::unlimited([] { return true; }))
                                    .status()));
}

using GameOrderTest = DatabaseTest;

TEST_F(GameOrderTest, TextIsConcatenationOfGamesInGivenOrder) {
  const tests::ScidFiles files = example(3000);
  const Shared database = open(files);
  const auto texts = tests::ScidDatabase(files, ".si4").render_games();
  // From the whole database, in both directions, some of them twice.
  std::vector<GameIndex> games(2000);
  tests::Random random(5);
  for (GameIndex& game : games) game = static_cast<GameIndex>(random.below(3000));
  std::string expected;
  for (const GameIndex game : games) expected += texts[game].text;
  const auto content = open_games(GameOrder(GameNumbers(database), games),
                                  WorkBudget::unlimited([] { return false; }));
  ASSERT_TRUE(content.ok()) << content.status();
  ASSERT_EQ(text_of(**content), expected);
  for (std::size_t offset = 0; offset < expected.size(); offset += 9973) {
    const std::size_t length = std::min<std::size_t>(4096, expected.size() - offset);
    std::string part;
    ASSERT_TRUE((*content)->read(offset, length, part).ok());
    ASSERT_EQ(part, expected.substr(offset, length)) << offset;
  }
  std::string none;
  EXPECT_FALSE((*content)->read(expected.size(), 1, none).ok());
  EXPECT_GE((*content)->memory(), games.size() * sizeof(GameIndex));
}

TEST_F(GameOrderTest, GamesMayBeOfSeveralDatabases) {
  std::vector<DatabasePtr> databases;
  std::vector<std::string> texts;
  for (const std::uint32_t games : {700, 0, 900, 3}) {
    const tests::ScidFiles files = example(games, games + 1);  // each has other games
    databases.push_back(open(files));
    for (const auto& game : tests::ScidDatabase(files, ".si4").render_games()) {
      texts.push_back(game.text);
    }
  }
  const GameNumbers numbers(databases);
  ASSERT_EQ(numbers.size(), texts.size());
  EXPECT_EQ(numbers.at(700), (GameOfPart{.part = 2, .game = 0}));
  EXPECT_EQ(numbers.of({.part = 3, .game = 2}), 1602U);
  std::vector<GameIndex> games(2000);
  tests::Random random(6);
  std::string expected;
  for (GameIndex& game : games) {
    game = static_cast<GameIndex>(random.below(texts.size()));
    expected += texts[game];
  }
  const GameOrder order(numbers, games);
  EXPECT_TRUE(absl::IsUnavailable(open_games(order, WorkBudget::limited(400)).status()));
  const auto content = open_games(order, WorkBudget::unlimited([] { return false; }));
  ASSERT_TRUE(content.ok()) << content.status();
  ASSERT_EQ(text_of(**content), expected);
  for (std::size_t offset = 0; offset < expected.size(); offset += 9973) {
    const std::size_t length = std::min<std::size_t>(4096, expected.size() - offset);
    EXPECT_GT((*content)->cost(offset, length), 0U);
    std::string part;
    ASSERT_TRUE((*content)->read(offset, length, part).ok());
    ASSERT_EQ(part, expected.substr(offset, length)) << offset;
  }
}

TEST_F(GameOrderTest, OpenRespectsBudget) {
  const Shared database = open(example(50));
  const GameOrder order(GameNumbers(database), {7, 3, 7, 40});
  EXPECT_TRUE(absl::IsUnavailable(open_games(order, WorkBudget::limited(2)).status()));
  EXPECT_TRUE(open_games(order, WorkBudget::limited(3)).ok());
  EXPECT_TRUE(open_games(order, WorkBudget::limited(0)).ok());
  EXPECT_EQ(database->sizes().known(), 3U);
  const auto nothing = open_games(GameOrder(GameNumbers(database), std::vector<GameIndex>()),
                                  WorkBudget::limited(0));
  ASSERT_TRUE(nothing.ok()) << nothing.status();
  EXPECT_EQ(text_of(**nothing), "");
}

}  // namespace
}  // namespace scidfs::fs
