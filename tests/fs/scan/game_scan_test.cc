#include "fs/scan/game_scan.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "fs/database/packed_index.h"
#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {
namespace {

using GameScanTest = SetsTest;

TEST_F(GameScanTest, VisitsEachGameOnceBlockByBlock) {
  const Shared database = open(random_files(30000, 10, 1));
  for (const DatabaseGames& set : many_sets(database, 2)) {
    for (const std::size_t length : {1, 128, 4096, 100000}) {
      const auto walk = GameScan::over(set.list(), 30000, whole(), length);
      ASSERT_TRUE(walk.ok());
      std::vector<GameIndex> met;
      std::size_t blocks = 0;
      for (std::size_t chunk = 0; chunk < walk->chunks(); ++chunk) {
        const std::size_t before = met.size();
        ASSERT_TRUE(walk->visit_chunk(chunk,
                                      [&](std::size_t block, std::span<const GameIndex> games) {
                                        ++blocks;
                                        EXPECT_FALSE(games.empty());
                                        for (const GameIndex game : games) {
                                          EXPECT_EQ(game / PackedIndex::kBlock, block);
                                          met.push_back(game);
                                        }
                                        return absl::OkStatus();
                                      })
                        .ok());
        if (chunk + 1 < walk->chunks()) {
          EXPECT_GE(met.size() - before, length);
        }
        EXPECT_LT(met.size() - before, length + PackedIndex::kBlock);
      }
      EXPECT_EQ(met, games_of(set));
      EXPECT_EQ(walk->games(), met.size());
      EXPECT_EQ(walk->blocks(), blocks);

      std::mutex mutex;
      std::vector<GameIndex> by_all;
      ASSERT_TRUE(walk->visit_all(4, whole(),
                                  [&](std::size_t worker, std::size_t, auto games) {
                                    EXPECT_LT(worker, 4U);
                                    const std::lock_guard lock(mutex);
                                    by_all.insert(by_all.end(), games.begin(), games.end());
                                    return absl::OkStatus();
                                  })
                      .ok());
      std::ranges::sort(by_all);
      EXPECT_EQ(by_all, met);
    }
  }
}

TEST_F(GameScanTest, StopsAtBudgetCancellationAndFailure) {
  const Shared database = open(random_files(30000, 10, 1));
  const DatabaseGames set = shown(database);
  const std::size_t count = set.count(30000);
  const WorkBudget enough = WorkBudget::limited((count + 999) / 1000);
  EXPECT_TRUE(GameScan::over(set.list(), 1000, enough).ok());
  EXPECT_EQ(enough.left(), 0U);
  const WorkBudget less = WorkBudget::limited((count - 1) / 1000);
  EXPECT_EQ(GameScan::over(set.list(), 1000, less).status(), WorkBudget::exceeded());
  const auto walk = GameScan::over(set.list(), 30000, whole());
  ASSERT_TRUE(walk.ok());
  std::atomic<std::size_t> blocks = 0;
  EXPECT_EQ(walk->visit_all(2, WorkBudget::unlimited([&] { return blocks > 10; }),
                            [&](std::size_t, std::size_t, auto) {
                              ++blocks;
                              return absl::OkStatus();
                            }),
            WorkBudget::cancelled());
  EXPECT_LT(blocks, walk->blocks() / 2);
  blocks = 0;
  EXPECT_EQ(walk->visit_all(2, whole(),
                            [&](std::size_t, std::size_t, auto) -> absl::Status {
                              if (++blocks >= 5) return absl::DataLossError("unreadable");
                              return absl::OkStatus();
                            }),
            absl::DataLossError("unreadable"));
  EXPECT_LT(blocks, walk->blocks() / 2);
}

}  // namespace
}  // namespace scidfs::fs
