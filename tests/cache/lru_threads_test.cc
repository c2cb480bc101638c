#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "cache/lru.h"
#include "tests/cache/threads.h"

namespace scidfs::cache {
namespace {

constexpr unsigned kThreads = 8;

// Returns a text that contains its key, so that a reader can check it, with a length that depends
// on it.
std::string text_of(const BlockKey& key) {
  return fmt::format("{}/{}{}", key.file, key.block, std::string(key.block * 37 % 1000, '.'));
}

// All threads request one key, and the maker does not finish before the others wait for it.
void expect_single_flight(std::size_t capacity) {
  BlockCache cache({.capacity = capacity});
  std::atomic<int> makers = 0;
  std::atomic<const std::string*> made = nullptr;
  run_threads(kThreads, [&](unsigned) {
    const auto block = cache.get({1, 2}, [&](std::string& out) {
      ++makers;
      EXPECT_TRUE(wait_until([&] { return cache.counters().joins == kThreads - 1; }));
      EXPECT_TRUE(cache.contains({1, 2}));
      out = "made once";
      return absl::OkStatus();
    });
    ASSERT_TRUE(block.ok());
    EXPECT_EQ(**block, "made once");
    const std::string* none = nullptr;
    if (!made.compare_exchange_strong(none, block->get())) {
      EXPECT_EQ(made.load(), block->get());
    }
  });
  EXPECT_EQ(makers, 1);
  EXPECT_EQ(cache.counters().misses, 1);
  EXPECT_EQ(cache.counters().joins, kThreads - 1);
  EXPECT_EQ(cache.contains({1, 2}), capacity > 0);
}

TEST(BlockCacheThreads, OneThreadMakesBlockForAll) { expect_single_flight(1 << 20); }

TEST(BlockCacheThreads, OneThreadMakesBlockForAllEvenIfNotCached) { expect_single_flight(0); }

TEST(BlockCacheThreads, FailureReachesAllWaitersAndNextCallRetries) {
  BlockCache cache({});
  std::atomic<int> makers = 0;
  std::atomic<int> failed = 0;
  run_threads(kThreads, [&](unsigned) {
    const auto fail = [&](std::string&) {
      ++makers;
      EXPECT_TRUE(wait_until([&] { return cache.counters().joins == kThreads - 1; }));
      return absl::DataLossError("damaged");
    };
    const auto block = cache.get({1, 2}, fail);
    if (block.status() == absl::DataLossError("damaged")) ++failed;
    // The failed call is over once any thread has its status.
    EXPECT_TRUE(cache
                    .get({1, 2},
                         [](std::string& out) {
                           out = "mended";
                           return absl::OkStatus();
                         })
                    .ok());
  });
  EXPECT_EQ(makers, 1);
  EXPECT_EQ(failed, static_cast<int>(kThreads));
  EXPECT_EQ(cache.counters().failures, 1);
  EXPECT_EQ(cache.counters().misses, 1);
}

TEST(BlockCacheThreads, CallersJoinBlockBeingMadeAhead) {
  BlockCache cache({});
  run_threads(kThreads, [&](unsigned thread) {
    if (thread == 0) {
      cache.make_ahead({1, 2}, [&](std::string& out) {
        EXPECT_TRUE(wait_until([&] { return cache.counters().joins == kThreads - 1; }));
        out = "ahead";
        return absl::OkStatus();
      });
      return;
    }
    ASSERT_TRUE(wait_until([&] { return cache.contains({1, 2}); }));
    const auto block =
        cache.get({1, 2}, [](std::string&) { return absl::InternalError("second"); });
    ASSERT_TRUE(block.ok());
    EXPECT_EQ(**block, "ahead");
  });
  EXPECT_EQ(cache.counters().ahead, 1);
  EXPECT_EQ(cache.counters().misses, 0);
}

TEST(BlockCacheThreads, SlowMakerDoesNotBlockOtherKeys) {
  BlockCache cache({.capacity = 1 << 20, .shards = 1});
  std::atomic<bool> others_done = false;
  run_threads(2, [&](unsigned thread) {
    const auto slow = [&](std::string&) {
      EXPECT_TRUE(wait_until([&] { return others_done.load(); }));
      return absl::OkStatus();
    };
    const auto fast = [](std::string&) { return absl::OkStatus(); };
    if (thread == 0) {
      EXPECT_TRUE(cache.get({1, 0}, slow).ok());
      return;
    }
    EXPECT_TRUE(wait_until([&] { return cache.contains({1, 0}); }));
    for (std::uint64_t block = 1; block < 50; ++block)
      EXPECT_TRUE(cache.get({1, block}, fast).ok());
    others_done = true;
  });
}

// Random load on a cache that is much too small: the texts are correct, the capacity holds at every
// moment, and the counters add up.
TEST(BlockCacheThreads, CapacityHoldsUnderRandomLoad) {
  constexpr std::size_t kCapacity = 32'000;
  constexpr unsigned kSteps = 3000;
  BlockCache cache({.capacity = kCapacity, .shards = 4});
  std::atomic<unsigned> failures_seen = 0;
  run_threads(kThreads, [&](unsigned thread) {
    std::mt19937 random(thread);
    std::vector<Block> held(4);
    for (unsigned step = 0; step < kSteps; ++step) {
      const BlockKey key{.file = random() % 3, .block = random() % 60};
      const bool fail = random() % 16 == 0;
      const auto block = cache.get(key, [&](std::string& out) {
        if (fail) return absl::UnavailableError("not now");
        out = text_of(key);
        return absl::OkStatus();
      });
      if (block.ok()) {
        ASSERT_EQ(**block, text_of(key));
        held[step % held.size()] = *block;
      } else {
        ASSERT_TRUE(absl::IsUnavailable(block.status()));
        ++failures_seen;
      }
      if (step % 16 == 0) {
        ASSERT_LE(cache.counters().bytes, kCapacity);
      }
    }
  });

  const BlockCache::Counters counters = cache.counters();
  EXPECT_LE(counters.bytes, kCapacity);
  EXPECT_GT(counters.bytes, kCapacity / 2);
  EXPECT_GT(counters.evictions, 0);
  EXPECT_GT(counters.hits, 0);
  EXPECT_EQ(counters.hits + counters.misses + counters.joins + counters.failures,
            kThreads * kSteps);
  EXPECT_EQ(counters.blocks + counters.evictions, counters.misses);
  EXPECT_LE(counters.failures, failures_seen.load());
}

}  // namespace
}  // namespace scidfs::cache
