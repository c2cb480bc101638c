#include "fs/database/measure.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "fs/database/game_set.h"
#include "tests/fs/database/database_fixture.h"
#include "tests/fs/database/listed_games.h"
#include "tests/fs/never.h"
#include "tests/support/scid_database.h"

namespace scidfs::fs {
namespace {

using MeasureTest = DatabaseTest;

std::thread::id this_thread() { return std::this_thread::get_id(); }

TEST_F(MeasureTest, LimitedBudgetMeasuresOnCallingThread) {
  const Shared database = open(example(100));
  std::thread::id completed_by;
  database->sizes().on_complete([&completed_by] { completed_by = this_thread(); });
  ASSERT_TRUE(measure(*database, all_of(*database), WorkBudget::limited(100)).ok());
  EXPECT_TRUE(database->sizes().complete());
  EXPECT_EQ(completed_by, this_thread());
}

TEST_F(MeasureTest, TooManyGamesForBudgetAreNotBegun) {
  const Shared database = open(example(100));
  const absl::Status status = measure(*database, all_of(*database), WorkBudget::limited(99));
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_EQ(database->sizes().known(), 0U);
}

TEST_F(MeasureTest, OnlyUnknownGamesCountAgainstBudget) {
  const Shared database = open(example(100));
  ASSERT_TRUE(database->compute_sizes(20, 100).ok());
  EXPECT_TRUE(measure(*database, all_of(*database), WorkBudget::limited(20)).ok());
  EXPECT_TRUE(database->sizes().complete());
  // If all sizes are known, no budget is needed.
  EXPECT_TRUE(measure(*database, all_of(*database), WorkBudget::limited(0)).ok());
}

TEST_F(MeasureTest, MeasuresOnlyGamesOfList) {
  const Shared database = open(example(9000));
  const auto& by_player = database->lists().player_games();
  for (std::uint32_t player = 0; player < by_player.keys(); ++player) {
    const GameList list = by_player.games(player);
    ASSERT_TRUE(measure(*database, list, WorkBudget::unlimited(never)).ok());
    for (const GameIndex game : games_in(list)) {
      ASSERT_TRUE(database->sizes().is_known(game)) << game;
    }
    if (player == 0) {
      EXPECT_EQ(database->sizes().known(), list.count(9000));
    }
  }
  // Together the lists of the players have all shown games.
  EXPECT_EQ(database->sizes().known(), database->loaded().shown_count());
}

TEST_F(MeasureTest, SizesEqualLengthsOfTexts) {
  const tests::ScidFiles files = example(5000);
  const Shared database = open(files);
  ASSERT_TRUE(measure(*database, all_of(*database), WorkBudget::unlimited(never)).ok());
  const auto texts = tests::ScidDatabase(files, ".si4").render_games();
  for (GameIndex game = 0; game < database->games(); ++game) {
    ASSERT_EQ(database->sizes().size(game), texts[game].text.size()) << game;
    ASSERT_FALSE(database->sizes().is_damaged(game)) << game;
  }
}

TEST_F(MeasureTest, StopsWhenCancelled) {
  const Shared database = open(example(9000));
  std::atomic<int> asked = 0;
  const absl::Status status = measure(*database, all_of(*database),
                                      WorkBudget::unlimited([&asked] { return ++asked > 3; }));
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_LT(database->sizes().known(), 9000U);
  // Sizes known by then are kept for the next call.
  EXPECT_TRUE(measure(*database, all_of(*database), WorkBudget::unlimited(never)).ok());
}

TEST_F(MeasureTest, UnreadableGameFileIsError) {
  const Shared database = open(example(3000));
  std::filesystem::resize_file(game_file(), 5000);
  const absl::Status status = measure(*database, all_of(*database), WorkBudget::unlimited(never));
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_FALSE(database->sizes().complete());
}

TEST_F(MeasureTest, GamesOutsideTheFileAreDamaged) {
  tests::ScidFiles files = example(10);
  files.games.resize(files.games.size() - 1);
  const Shared database = open(files);
  ASSERT_TRUE(measure(*database, all_of(*database), WorkBudget::unlimited(never)).ok());
  EXPECT_EQ(database->sizes().damaged().size(), 1U);
  EXPECT_TRUE(database->sizes().is_damaged(9));
}

// The same on any other database.
TEST_F(MeasureTest, BackgroundWorkYieldsToRequests) {
  const Shared waited_for = open(example(100));
  const Shared database = open(example(2000, 2));
  std::atomic<bool> is_asked = false;
  std::atomic<bool> may_go_on = false;
  std::thread visitor([&] {
    const WorkBudget budget = WorkBudget::unlimited([&] {
      is_asked = true;
      while (!may_go_on) std::this_thread::yield();
      return false;
    });
    EXPECT_TRUE(measure(*waited_for, all_of(*waited_for), budget).ok());
  });
  while (!is_asked) std::this_thread::yield();
  std::thread background([&] { EXPECT_TRUE(database->compute_sizes(0, database->games()).ok()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(database->sizes().known(), 0U);
  may_go_on = true;
  visitor.join();
  background.join();
  EXPECT_TRUE(database->sizes().complete());
}

TEST_F(MeasureTest, BackgroundWorkCanBeCancelledWhileItWaits) {
  const Shared waited_for = open(example(100));
  const Shared database = open(example(100));
  std::atomic<bool> is_asked = false;
  std::atomic<bool> may_go_on = false;
  std::thread visitor([&] {
    const WorkBudget budget = WorkBudget::unlimited([&] {
      is_asked = true;
      while (!may_go_on) std::this_thread::yield();
      return false;
    });
    measure(*waited_for, all_of(*waited_for), budget).IgnoreError();
  });
  while (!is_asked) std::this_thread::yield();
  int asked = 0;
  EXPECT_TRUE(database->compute_sizes(0, 100, [&asked] { return ++asked > 2; }).ok());
  EXPECT_EQ(database->sizes().known(), 0U);
  may_go_on = true;
  visitor.join();
}

TEST_F(MeasureTest, ConcurrentMeasuringCompletesOnce) {
  const Shared database = open(example(5000));
  std::atomic<int> completed = 0;
  database->sizes().on_complete([&completed] { ++completed; });
  std::thread background([&] { database->compute_sizes(0, 5000).IgnoreError(); });
  std::vector<std::thread> visitors;
  for (std::uint32_t player = 0; player < 4; ++player) {
    visitors.emplace_back([&database, player] {
      const GameList list = database->lists().player_games().games(player);
      EXPECT_TRUE(measure(*database, list, WorkBudget::unlimited(never)).ok());
    });
  }
  for (std::thread& visitor : visitors) visitor.join();
  background.join();
  EXPECT_EQ(completed, 1);
}

TEST_F(MeasureTest, AdoptedSizesCompleteDatabase) {
  const tests::ScidFiles files = example(50);
  const Shared first = open(files);
  ASSERT_TRUE(measure(*first, all_of(*first), WorkBudget::unlimited(never)).ok());
  const Shared second = open(files);
  int completed = 0;
  second->sizes().on_complete([&completed] { ++completed; });
  ASSERT_TRUE(second->adopt_kept(first->copy_kept()));
  EXPECT_TRUE(second->sizes().complete());
  EXPECT_EQ(second->sizes().size(7), first->sizes().size(7));
  EXPECT_EQ(completed, 0);
}

TEST_F(MeasureTest, UnchangedGamesAreInherited) {
  tests::ScidFiles files = example(300);
  const Shared before = open(files);
  ASSERT_TRUE(measure(*before, all_of(*before), WorkBudget::unlimited(never)).ok());
  before->files().game_file().sum_up(never);
  // A changed deletion flag is another entry, but the same text.
  files.index[files.index.size() - 40] ^= 1;
  const Shared after = open(files);
  after->files().game_file().sum_up(never);
  after->inherit(*before);
  EXPECT_GE(after->sizes().known(), 299U);
  EXPECT_EQ(after->sizes().size(5), before->sizes().size(5));
}

// Except the games of the chunk in which the old file ended, which has another checksum now.
TEST_F(MeasureTest, GrownDatabaseMeasuresOnlyNewGames) {
  const Shared before = open(example(3000));
  ASSERT_TRUE(measure(*before, all_of(*before), WorkBudget::unlimited(never)).ok());
  before->files().game_file().sum_up(never);
  const Shared after = open(example(3100));
  after->files().game_file().sum_up(never);
  after->inherit(*before);
  const std::uint64_t whole_chunks =
      before->files().game_file().size() / GameFile::kChunk * GameFile::kChunk;
  GameIndex known = 0;
  for (GameIndex game = 0; game < after->games(); ++game) {
    const codec::scid::GameEntry entry = after->entry(game);
    const bool is_old = entry.offset + entry.length <= whole_chunks;
    ASSERT_EQ(after->sizes().is_known(game), is_old) << game;
    known += is_old ? 1 : 0;
  }
  ASSERT_GT(known, 2000U);
  ASSERT_LT(known, 3000U);
  const auto left = static_cast<std::size_t>(after->games() - known);
  EXPECT_TRUE(absl::IsUnavailable(measure(*after, all_of(*after), WorkBudget::limited(left - 1))));
  EXPECT_TRUE(measure(*after, all_of(*after), WorkBudget::limited(left)).ok());
  EXPECT_TRUE(after->sizes().complete());
}

TEST_F(MeasureTest, MemoryIncludesListsMadeLater) {
  const Shared database = open(example(20000));
  const std::uint64_t before = database->memory();
  EXPECT_GT(before, 20000U * 4);
  const GameLists& lists = database->lists();
  lists.player_games();
  const std::uint64_t with_players = database->memory();
  // Two players per game, at least a byte each.
  EXPECT_GE(with_players, before + 2 * database->loaded().shown_count());
  lists.warm_up();
  lists.month_games(0);
  EXPECT_GE(database->memory(), with_players + 2 * database->loaded().shown_count());
  // Of short games; names and checksums are negligible here.
  EXPECT_LT(database->memory(), 20000U * 60);
}

}  // namespace
}  // namespace scidfs::fs
