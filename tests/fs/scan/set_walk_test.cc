#include "fs/scan/set_walk.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "fs/database/packed_index.h"
#include "tests/fs/scan/sets_fixture.h"

namespace scidfs::fs {
namespace {

using SetWalkTest = SetsTest;

TEST_F(SetWalkTest, MeetsEachGameOnceWithThoseOfItsBlock) {
  const Shared database = open(random_files(30000, 10, 1));
  for (const GameSet& set : many_sets(database, 2)) {
    for (const std::size_t length : {1, 128, 4096, 100000}) {
      const auto walk = SetWalk::over(set.list(), 30000, whole(), length);
      ASSERT_TRUE(walk.ok());
      std::vector<GameIndex> met;
      std::size_t blocks = 0;
      for (std::size_t stretch = 0; stretch < walk->stretches(); ++stretch) {
        const std::size_t before = met.size();
        ASSERT_TRUE(walk->visit_stretch(stretch,
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
        if (stretch + 1 < walk->stretches()) {
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

TEST_F(SetWalkTest, EndsWithItsLimitItsEffortAndAFailure) {
  const Shared database = open(random_files(30000, 10, 1));
  const GameSet set = shown(database);
  const std::size_t count = set.count(30000);
  const Effort enough = Effort::quick((count + 999) / 1000);
  EXPECT_TRUE(SetWalk::over(set.list(), 1000, enough).ok());
  EXPECT_EQ(enough.left(), 0U);
  const Effort less = Effort::quick((count - 1) / 1000);
  EXPECT_EQ(SetWalk::over(set.list(), 1000, less).status(), Effort::too_little());
  const auto walk = SetWalk::over(set.list(), 30000, whole());
  ASSERT_TRUE(walk.ok());
  std::atomic<std::size_t> blocks = 0;
  EXPECT_EQ(walk->visit_all(2, Effort::whole([&] { return blocks > 10; }),
                            [&](std::size_t, std::size_t, auto) {
                              ++blocks;
                              return absl::OkStatus();
                            }),
            Effort::over());
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
