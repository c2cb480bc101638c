#include "cache/sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/cache/threads.h"

namespace scidfs::cache {
namespace {

using ::testing::ElementsAre;

TEST(SizeTable, AllSizesAreUnknownAtFirst) {
  const SizeTable table(3);
  EXPECT_EQ(table.count(), 3);
  EXPECT_EQ(table.known(), 0);
  EXPECT_FALSE(table.complete());
  EXPECT_THAT(table.copy(), ElementsAre(0, 0, 0));
}

TEST(SizeTable, EmptyTableIsComplete) {
  const SizeTable table(0);
  EXPECT_TRUE(table.complete());
  EXPECT_TRUE(table.copy().empty());
}

TEST(SizeTable, CountsEachSizeOnce) {
  SizeTable table(3);
  EXPECT_TRUE(table.set(1, 700));
  EXPECT_TRUE(table.set(1, 700));
  EXPECT_EQ(table.get(1), 700);
  EXPECT_EQ(table.known(), 1);
  EXPECT_TRUE(table.set(0, 0xffffffff));
  EXPECT_TRUE(table.set(2, 1));
  EXPECT_TRUE(table.complete());
  EXPECT_THAT(table.copy(), ElementsAre(0xffffffff, 700, 1));
}

TEST(SizeTable, KnownSizeDoesNotChange) {
  SizeTable table(2);
  EXPECT_TRUE(table.set(0, 700));
  EXPECT_FALSE(table.set(0, 701));
  EXPECT_TRUE(table.set(0, 0));
  EXPECT_TRUE(table.set(1, 0));
  EXPECT_THAT(table.copy(), ElementsAre(700, 0));
  EXPECT_EQ(table.known(), 1);
}

TEST(SizeTable, StartsFromLoadedSizes) {
  std::vector<std::uint32_t> loaded = {5, 0, 7};
  SizeTable table(std::move(loaded));
  EXPECT_EQ(table.known(), 2);
  EXPECT_TRUE(table.set(1, 6));
  EXPECT_THAT(table.copy(), ElementsAre(5, 6, 7));
}

// All threads set all sizes, in different orders; one thread reads the table as soon as it is
// complete.
TEST(SizeTable, ManyThreadsFillOneTable) {
  constexpr std::size_t kMany = 20'000;
  constexpr unsigned kSetters = 4;
  SizeTable table(kMany);
  run_threads(kSetters + 1, [&](unsigned thread) {
    if (thread == kSetters) {
      std::size_t before = 0;
      while (!table.complete()) {
        const std::size_t known = table.known();
        ASSERT_GE(known, before);
        before = known;
        ASSERT_LE(table.get(known % kMany), kMany);
        std::this_thread::yield();
      }
      std::size_t sum = 0;
      for (std::size_t game = 0; game < kMany; ++game) sum += table.get(game);
      ASSERT_EQ(sum, kMany * (kMany + 1) / 2);
      return;
    }
    for (std::size_t i = 0; i < kMany; ++i) {
      const std::size_t game = (i + thread * kMany / kSetters) % kMany;
      ASSERT_TRUE(table.set(game, static_cast<std::uint32_t>(game + 1)));
    }
  });
  EXPECT_EQ(table.known(), kMany);
}

}  // namespace
}  // namespace scidfs::cache
