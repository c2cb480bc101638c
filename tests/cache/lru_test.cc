#include "cache/lru.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <list>
#include <new>
#include <random>
#include <stdexcept>

namespace scidfs::cache {
namespace {

auto text_of(std::string text) {
  return [text = std::move(text)](std::string& out) {
    out = text;
    return absl::OkStatus();
  };
}

absl::Status must_not_run(std::string&) {
  ADD_FAILURE() << "a block that should be there was made again";
  return absl::OkStatus();
}

// Returns the memory that one block of `size` bytes counts as.
std::size_t charge_of(std::size_t size) {
  BlockCache cache({.capacity = 1 << 20, .shards = 1});
  EXPECT_TRUE(cache.get({0, 0}, text_of(std::string(size, 'x'))).ok());
  return cache.counters().bytes;
}

TEST(BlockCache, MakesBlockOnceAndReturnsTheSameText) {
  BlockCache cache({});
  const auto made = cache.get({7, 3}, text_of("1. e4 e5"));
  const auto found = cache.get({7, 3}, must_not_run);
  ASSERT_TRUE(made.ok());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(**made, "1. e4 e5");
  EXPECT_EQ(made->get(), found->get());
}

TEST(BlockCache, KeysDifferInFileOrBlock) {
  BlockCache cache({});
  for (std::uint64_t file = 0; file < 40; ++file) {
    for (std::uint64_t block = 0; block < 40; ++block) {
      const std::string name = fmt::format("{}/{}", file, block);
      ASSERT_EQ(**cache.get({file, block}, text_of(name)), name);
    }
  }
  EXPECT_EQ(cache.counters().blocks, 1600);
  EXPECT_EQ(**cache.get({39, 38}, must_not_run), "39/38");
  EXPECT_FALSE(cache.contains({40, 0}));
}

TEST(BlockCache, ConsecutiveBlocksSpreadOverShards) {
  // Consecutive blocks of one file, as readers request them, in twice as much memory as they need:
  // a shard with more than double its part would evict some.
  constexpr std::size_t kBlocks = 1600;
  BlockCache cache({.capacity = 2 * kBlocks * charge_of(100), .shards = 16});
  for (std::uint64_t block = 0; block < kBlocks; ++block) {
    ASSERT_TRUE(cache.get({1, block}, text_of(std::string(100, 'x'))).ok());
  }
  EXPECT_EQ(cache.counters().blocks, kBlocks);
  EXPECT_EQ(cache.counters().evictions, 0);
}

TEST(BlockCache, CountsHitsMissesFailuresAndEvictions) {
  BlockCache cache({.capacity = 2 * charge_of(100), .shards = 1});
  const auto text = text_of(std::string(100, 'x'));
  const auto fail = [](std::string&) { return absl::DataLossError("damaged"); };
  ASSERT_TRUE(cache.get({1, 0}, text).ok());
  ASSERT_TRUE(cache.get({1, 0}, text).ok());
  ASSERT_TRUE(cache.get({1, 1}, text).ok());
  ASSERT_TRUE(cache.get({1, 2}, text).ok());
  ASSERT_FALSE(cache.get({1, 3}, fail).ok());

  const BlockCache::Counters counters = cache.counters();
  EXPECT_EQ(counters.hits, 1);
  EXPECT_EQ(counters.misses, 3);
  EXPECT_EQ(counters.joins, 0);
  EXPECT_EQ(counters.evictions, 1);
  EXPECT_EQ(counters.failures, 1);
  EXPECT_EQ(counters.blocks, 2);
  EXPECT_EQ(counters.bytes, 2 * charge_of(100));
  EXPECT_FALSE(cache.contains({1, 0}));
}

TEST(BlockCache, ContainsDoesNotCountAsUse) {
  BlockCache cache({.capacity = 2 * charge_of(100), .shards = 1});
  const auto text = text_of(std::string(100, 'x'));
  ASSERT_TRUE(cache.get({1, 0}, text).ok());
  ASSERT_TRUE(cache.get({1, 1}, text).ok());
  EXPECT_TRUE(cache.contains({1, 0}));
  ASSERT_TRUE(cache.get({1, 2}, text).ok());
  EXPECT_FALSE(cache.contains({1, 0}));
  EXPECT_TRUE(cache.contains({1, 1}));
}

TEST(BlockCache, HeldBlockOutlivesEvictionAndCache) {
  Block held;
  {
    BlockCache cache({.capacity = charge_of(100), .shards = 1});
    held = *cache.get({1, 0}, text_of(std::string(100, 'a')));
    const std::weak_ptr<const std::string> idle =
        *cache.get({1, 1}, text_of(std::string(100, 'b')));
    EXPECT_FALSE(cache.contains({1, 0}));
    EXPECT_FALSE(idle.expired());
    ASSERT_TRUE(cache.get({1, 2}, text_of(std::string(100, 'c'))).ok());
    EXPECT_TRUE(idle.expired());
  }
  EXPECT_EQ(*held, std::string(100, 'a'));
}

TEST(BlockCache, CacheWithoutCapacityKeepsNothing) {
  BlockCache cache({.capacity = 0});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(**cache.get({1, 0}, text_of("")), "");
  EXPECT_FALSE(cache.contains({1, 0}));
  EXPECT_EQ(cache.counters().misses, 3);
  EXPECT_EQ(cache.counters().bytes, 0);
}

TEST(BlockCache, OversizedBlockIsReturnedWithoutEvictingOthers) {
  BlockCache cache({.capacity = charge_of(100), .shards = 1});
  ASSERT_TRUE(cache.get({1, 0}, text_of(std::string(100, 'a'))).ok());
  EXPECT_EQ((*cache.get({1, 1}, text_of(std::string(101, 'b'))))->size(), 101);
  EXPECT_FALSE(cache.contains({1, 1}));
  EXPECT_TRUE(cache.contains({1, 0}));
  EXPECT_EQ(cache.counters().evictions, 0);
}

TEST(BlockCache, AnyNumberOfShardsWorks) {
  for (const unsigned shards : {0U, 1U, 3U, 64U}) {
    BlockCache cache({.capacity = 1 << 20, .shards = shards});
    for (std::uint64_t block = 0; block < 100; ++block) {
      ASSERT_TRUE(cache.get({1, block}, text_of("x")).ok());
    }
    EXPECT_EQ(cache.counters().blocks, 100);
  }
}

TEST(BlockCache, UnusedCapacityOfTextIsReleased) {
  BlockCache cache({.capacity = 1 << 20, .shards = 1});
  const auto block = cache.get({1, 0}, [](std::string& out) {
    out.reserve(100'000);
    out = std::string(100, 'x');
    return absl::OkStatus();
  });
  EXPECT_LT((*block)->capacity(), 200);
  EXPECT_EQ(cache.counters().bytes, charge_of(100));
}

TEST(BlockCache, FailureIsNotCachedAndNextCallerRetries) {
  BlockCache cache({});
  const auto failed = cache.get({1, 0}, [](std::string& out) {
    out = "half a ga";
    return absl::DataLossError("game 1: damaged at offset 9");
  });
  EXPECT_EQ(failed.status(), absl::DataLossError("game 1: damaged at offset 9"));
  EXPECT_FALSE(cache.contains({1, 0}));
  EXPECT_EQ(cache.counters().bytes, 0);
  EXPECT_EQ(**cache.get({1, 0}, text_of("a whole game")), "a whole game");
}

TEST(BlockCache, ThrowingMakerReturnsErrorStatus) {
  BlockCache cache({});
  const auto no_memory = [](std::string&) -> absl::Status { throw std::bad_alloc(); };
  const auto surprise = [](std::string&) -> absl::Status { throw std::runtime_error("surprise"); };
  EXPECT_TRUE(absl::IsResourceExhausted(cache.get({1, 0}, no_memory).status()));
  EXPECT_TRUE(absl::IsInternal(cache.get({1, 0}, surprise).status()));
  EXPECT_EQ(cache.counters().failures, 2);
  EXPECT_TRUE(cache.get({1, 0}, text_of("x")).ok());
}

TEST(BlockCache, MakerMayGetOtherBlocks) {
  BlockCache cache({.capacity = 1 << 20, .shards = 1});
  const auto outer = cache.get({1, 0}, [&](std::string& out) {
    EXPECT_TRUE(cache.contains({1, 0}));
    out = **cache.get({1, 1}, text_of("inner"));
    return absl::OkStatus();
  });
  EXPECT_EQ(**outer, "inner");
  EXPECT_EQ(cache.counters().blocks, 2);
}

TEST(BlockCache, BlockMadeAheadIsHitByNextCaller) {
  BlockCache cache({});
  cache.make_ahead({1, 0}, text_of("ahead"));
  cache.make_ahead({1, 0}, must_not_run);
  EXPECT_EQ(**cache.get({1, 0}, must_not_run), "ahead");
  EXPECT_EQ(cache.counters().ahead, 1);
  EXPECT_EQ(cache.counters().hits, 1);
  EXPECT_EQ(cache.counters().misses, 0);
}

TEST(BlockCache, FailureAheadLeavesNoBlock) {
  BlockCache cache({});
  cache.make_ahead({1, 0}, [](std::string&) { return absl::DataLossError("damaged"); });
  EXPECT_EQ(cache.counters().failures, 1);
  EXPECT_EQ(cache.counters().ahead, 0);
  EXPECT_EQ(**cache.get({1, 0}, text_of("whole")), "whole");
}

TEST(BlockCache, DroppedBlockIsForgottenButStaysWithHolders) {
  BlockCache cache({.capacity = 1 << 20, .shards = 1});
  const Block held = *cache.get({1, 0}, text_of("held"));
  ASSERT_TRUE(cache.get({1, 1}, text_of("other")).ok());
  cache.drop({1, 0});
  cache.drop({1, 2});
  EXPECT_FALSE(cache.contains({1, 0}));
  EXPECT_TRUE(cache.contains({1, 1}));
  EXPECT_EQ(*held, "held");
  EXPECT_EQ(cache.counters().blocks, 1);
  EXPECT_EQ(cache.counters().bytes, charge_of(5));
  EXPECT_EQ(cache.counters().evictions, 0);
}

TEST(BlockCache, BlockBeingMadeIsNotDropped) {
  BlockCache cache({});
  const auto block = cache.get({1, 0}, [&](std::string& out) {
    cache.drop({1, 0});
    out = "made";
    return absl::OkStatus();
  });
  EXPECT_EQ(**block, "made");
  EXPECT_TRUE(cache.contains({1, 0}));
}

// Compares one shard with a plain list: after every step both have the same keys.
TEST(BlockCache, EvictionOrderMatchesModel) {
  constexpr std::uint64_t kKeys = 24;
  constexpr std::array<std::size_t, 4> kSizes = {0, 60, 500, 1500};
  std::array<std::size_t, 4> charges{};
  for (std::size_t i = 0; i < kSizes.size(); ++i) charges[i] = charge_of(kSizes[i]);
  const std::size_t capacity = 5000;

  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    BlockCache cache({.capacity = capacity, .shards = 1});
    std::list<std::uint64_t> model;  // most recent use first
    const auto charge = [&](std::uint64_t key) { return charges[key % kSizes.size()]; };
    for (int step = 0; step < 300; ++step) {
      const std::uint64_t key = random() % kKeys;
      model.remove(key);
      model.push_front(key);
      std::size_t used = 0;
      for (const std::uint64_t kept : model) used += charge(kept);
      while (used > capacity) {
        used -= charge(model.back());
        model.pop_back();
      }

      ASSERT_TRUE(cache.get({5, key}, text_of(std::string(kSizes[key % 4], 'x'))).ok());
      ASSERT_EQ(cache.counters().bytes, used);
      ASSERT_EQ(cache.counters().blocks, model.size());
      for (const std::uint64_t kept : model) {
        ASSERT_TRUE(cache.contains({5, kept})) << "seed " << seed << " step " << step;
      }
    }
    EXPECT_GT(cache.counters().evictions, 0);
  }
}

}  // namespace
}  // namespace scidfs::cache
