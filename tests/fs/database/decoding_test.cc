// How much work the decoding of games counts as, and which games are refused.
#include "fs/database/decoding.h"

#include <gtest/gtest.h>

#include <atomic>

#include "fs/database/game_content.h"
#include "fs/database/measure.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/fs/never.h"
#include "tests/support/shared_records.h"

namespace scidfs::fs {
namespace {

using DecodingTest = DatabaseTest;

// A game with a record of the greatest length.
constexpr std::size_t kGamesOfLongest = 511;

std::string long_record() { return tests::longest_record("bla bla "); }

// More games with one record than a list may have.
constexpr std::size_t kTooMany = 2100;

TEST_F(DecodingTest, LongRecordCountsAsSeveralGames) {
  EXPECT_EQ(games_of_records(1, 0), 1U);
  EXPECT_EQ(games_of_records(1, 511), 1U);
  EXPECT_EQ(games_of_records(1, 512), 2U);
  EXPECT_EQ(games_of_records(1, tests::kLongestRecord), kGamesOfLongest);
  // Short records compensate for it.
  EXPECT_EQ(games_of_records(10, 2560), 10U);
  const WorkBudget budget = WorkBudget::limited(20);
  DecodingCost cost(budget, 2);
  for (const std::size_t bytes : {600, 100, 100, 100, 100, 100, 100, 100, 100}) {
    EXPECT_TRUE(cost.add(bytes));
  }
  EXPECT_EQ(budget.left(), 2U);
  EXPECT_TRUE(cost.add(0));
  EXPECT_FALSE(cost.add(0));
}

TEST_F(DecodingTest, LimitedBudgetAllowsFewLongGames) {
  const Shared database = open(tests::share_record(100, long_record()));
  EXPECT_EQ(games_of_record(*database, 7), kGamesOfLongest);
  const WorkBudget small = WorkBudget::limited(2000);
  EXPECT_TRUE(absl::IsUnavailable(begin_decoding(*database, all_of(*database), small)));
  EXPECT_TRUE(
      absl::IsUnavailable(measure(*database, all_of(*database), WorkBudget::limited(2000))));
  EXPECT_EQ(database->sizes().known(), 0U);
  EXPECT_TRUE(open_game(database, 0, WorkBudget::limited(2000)).ok());
  EXPECT_TRUE(absl::IsUnavailable(open_game(database, 1, WorkBudget::limited(500)).status()));
  // Together they use one budget.
  const WorkBudget shared = WorkBudget::limited(1000);
  EXPECT_TRUE(open_positions(database, 2, shared).ok());
  EXPECT_TRUE(absl::IsUnavailable(open_positions(database, 3, shared).status()));
}

TEST_F(DecodingTest, CostOfTextIsThatOfItsGames) {
  const Shared database = open(tests::share_record(3, long_record()));
  const auto all =
      open_games(DatabaseGames(database, database->shown()), WorkBudget::unlimited(never));
  ASSERT_TRUE(all.ok()) << all.status();
  constexpr std::size_t kOne = kGamesOfLongest;
  EXPECT_EQ((*all)->cost(0, (*all)->size()), games_of_records(3, 3 * database->entry(0).length));
  EXPECT_EQ((*all)->cost((*all)->size() - 1, 1), kOne);
  EXPECT_EQ((*open_game(database, 1, WorkBudget::limited(0)))->cost(0, 1), kOne);
  // Adding up the sizes of very many games needs budget too.
  const Shared many = open(example(70'000));
  ASSERT_TRUE(many->compute_sizes(0, many->games()).ok());
  const DatabaseGames set(many, all_of(*many));
  EXPECT_TRUE(absl::IsUnavailable(open_games(set, WorkBudget::limited(10)).status()));
  EXPECT_TRUE(open_games(set, WorkBudget::limited(1000)).ok());
}

TEST_F(DecodingTest, CancelledMeasuringStopsBetweenLongGames) {
  const Shared database = open(tests::share_record(500, long_record()));
  std::atomic<int> checks = 0;
  const absl::Status status =
      measure(*database, all_of(*database), WorkBudget::unlimited([&] { return ++checks > 3; }, 1));
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_LE(database->sizes().known(), 3U);
}

TEST_F(DecodingTest, TooManyGamesThatShareRecordAreRefused) {
  const Shared database = open(tests::share_record(kTooMany, long_record()));
  EXPECT_TRUE(database->files().shares_records());
  ASSERT_EQ(database->files().problems().size(), 1U);
  EXPECT_NE(database->files().problems()[0].find("share records"), std::string::npos);
  EXPECT_TRUE(database->files().is_consistent());
  for (const WorkBudget& budget : {WorkBudget::limited(2000), WorkBudget::unlimited(never)}) {
    EXPECT_TRUE(absl::IsUnimplemented(
        open_games(DatabaseGames(database, all_of(*database)), budget).status()));
    std::vector<GameIndex> games(kTooMany);
    for (std::size_t i = 0; i < games.size(); ++i) games[i] = static_cast<GameIndex>(i);
    EXPECT_TRUE(absl::IsUnimplemented(
        open_games(GameOrder(GameNumbers(database), games), budget).status()));
  }
  EXPECT_EQ(database->sizes().known(), 0U);
  // Some of them, and single games, are available.
  DeltaList some;
  for (GameIndex game = 0; game < 20; ++game) some.add(game);
  EXPECT_TRUE(
      open_games(DatabaseGames(database, std::move(some)), WorkBudget::unlimited(never)).ok());
  const auto last = open_game(database, kTooMany - 1, WorkBudget::unlimited(never));
  ASSERT_TRUE(last.ok());
  EXPECT_GT(text_of(**last).size(), std::size_t{100'000});
}

TEST_F(DecodingTest, DatabasesOfUsualSizeAreNotRefused) {
  // The greatest allowed number of long records, and a short one that very many games share.
  EXPECT_FALSE(open(tests::share_record(2048, long_record()))->files().shares_records());
  EXPECT_FALSE(open(tests::share_record(500'000, tests::ScidEncoder().moves("e4 e5").record()))
                   ->files()
                   .shares_records());
}

}  // namespace
}  // namespace scidfs::fs
