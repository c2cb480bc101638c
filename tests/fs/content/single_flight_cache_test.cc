#include "fs/content/single_flight_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace scidfs::fs {
namespace {

class Thing {
 public:
  explicit Thing(std::size_t memory) : memory_(memory) {}
  std::size_t memory() const { return memory_; }

 private:
  const std::size_t memory_;
};

class SingleFlightCacheTest : public testing::Test {
 protected:
  absl::Status get(const std::string& key, std::size_t bytes = 1000) {
    return cache_
        .get(key, WorkBudget::unlimited(nullptr),
             [&]() -> absl::StatusOr<std::shared_ptr<const Thing>> {
               ++made_;
               return std::make_shared<const Thing>(bytes);
             })
        .status();
  }
  absl::Status fail(const std::string& key) {
    return cache_
        .get(
            key, WorkBudget::unlimited(nullptr),
            []() -> absl::StatusOr<std::shared_ptr<const Thing>> { return WorkBudget::exceeded(); })
        .status();
  }

  SingleFlightCache<std::string, Thing> cache_{10'000};
  std::atomic<int> made_ = 0;
};

TEST_F(SingleFlightCacheTest, EvictsLeastRecentlyUsed) {
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(get("kept").ok());
    EXPECT_TRUE(get("thing " + std::to_string(i)).ok());
    EXPECT_LE(cache_.counters().bytes, 10'000U);
  }
  EXPECT_EQ(made_, 21);
  EXPECT_GE(cache_.counters().values, 5U);
  EXPECT_TRUE(get("thing 0").ok());
  EXPECT_EQ(made_, 22);
}

TEST_F(SingleFlightCacheTest, OversizedValueIsMadeAndNotKept) {
  EXPECT_TRUE(get("large", 20'000).ok());
  EXPECT_TRUE(get("large", 20'000).ok());
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(cache_.counters().bytes, 0U);
}

// A thousand failed queries must not use more memory than the budget.
TEST_F(SingleFlightCacheTest, FailuresStayWithinBudget) {
  for (int i = 0; i < 1000; ++i) EXPECT_FALSE(fail("thing " + std::to_string(i)).ok());
  EXPECT_LE(cache_.counters().values, 10'000U / 200);
  EXPECT_TRUE(get("thing 999").ok());
  EXPECT_TRUE(get("thing 999").ok());
  EXPECT_EQ(made_, 1);
}

// Keys are whole queries, and are in two tables.
TEST_F(SingleFlightCacheTest, LongKeysCountAgainstBudget) {
  for (int i = 0; i < 100; ++i) {
    EXPECT_TRUE(get(std::to_string(i) + std::string(1000, 'k'), 10).ok());
    EXPECT_LE(cache_.counters().values, 5U);
  }
  EXPECT_GE(cache_.counters().values, 3U);
  EXPECT_EQ(cache_.counters().made, 100U);
}

TEST_F(SingleFlightCacheTest, DropsSelectedKeys) {
  EXPECT_TRUE(get("a").ok());
  EXPECT_TRUE(get("b").ok());
  cache_.drop([](const std::string& key) { return key == "a"; });
  EXPECT_EQ(cache_.counters().values, 1U);
  EXPECT_TRUE(get("b").ok());
  EXPECT_EQ(made_, 2);
  EXPECT_TRUE(get("a").ok());
  EXPECT_EQ(made_, 3);
}

TEST_F(SingleFlightCacheTest, SupportsConcurrentCallers) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        EXPECT_TRUE(get("thing " + std::to_string(i % 30)).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(cache_.counters().bytes, 10'000U);
}

}  // namespace
}  // namespace scidfs::fs
