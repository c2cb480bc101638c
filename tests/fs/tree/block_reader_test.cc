#include "fs/tree/block_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include "tests/cache/threads.h"

namespace scidfs::fs {
namespace {

using cache::run_threads;
using cache::wait_until;

constexpr Inode kFile = 7;

WorkBudget whole() { return WorkBudget::unlimited(nullptr); }

char byte_at(std::uint64_t offset) { return static_cast<char>('a' + offset * 31 / 7 % 26); }

// Counts how often each block is read, and waits or fails on request.
class CountingContent : public Content {
 public:
  static constexpr std::size_t kMostBlocks = 1000;

  explicit CountingContent(std::uint64_t size) : size_(size) {}

  std::uint64_t size() const override { return size_; }

  absl::Status read(std::uint64_t offset, std::size_t length, std::string& out) const override {
    const std::uint64_t block = offset / kBlockSize;
    EXPECT_EQ(offset % kBlockSize, 0U);
    EXPECT_LE(offset + length, size_);
    ++reads[block];
    while (block >= held_from) std::this_thread::yield();
    if (block == bad && failures_left-- > 0) return absl::DataLossError("bad block");
    for (std::uint64_t at = offset; at < offset + length; ++at) out += byte_at(at);
    return absl::OkStatus();
  }

  std::size_t memory() const override { return sizeof(*this); }
  std::size_t cost(std::uint64_t /*offset*/, std::size_t length) const override {
    return length / 1024;
  }
  void expect(std::uint64_t offset, std::size_t length) const override {
    EXPECT_LE(offset + length, size_);
    ++expected[offset / kBlockSize];
  }

  mutable std::array<std::atomic<int>, kMostBlocks> expected{};
  mutable std::array<std::atomic<int>, kMostBlocks> reads{};
  std::atomic<std::uint64_t> held_from = kMostBlocks;
  std::uint64_t bad = kMostBlocks;
  mutable std::atomic<int> failures_left = 0;

 private:
  std::uint64_t size_;
};

bool is_right(std::string_view bytes, std::uint64_t offset) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != byte_at(offset + i)) return false;
  }
  return true;
}

// Reads from `offset` to the end of the block; returns the number of correct bytes, 0 after a
// failure.
std::size_t read_some(BlockReader& reader, const std::shared_ptr<CountingContent>& content,
                      std::uint64_t offset, std::size_t size) {
  const absl::StatusOr<Slice> slice = reader.read(kFile, content, false, offset, size, whole());
  if (!slice.ok()) return 0;
  EXPECT_LE(slice->bytes.size(), size);
  EXPECT_TRUE(is_right(slice->bytes, offset)) << offset;
  return slice->bytes.size();
}

// Reads the whole blocks first .. last-1, one after the other.
void read_blocks(BlockReader& reader, const std::shared_ptr<CountingContent>& content,
                 std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t block = first; block < last; ++block) {
    const std::uint64_t offset = block * kBlockSize;
    EXPECT_EQ(read_some(reader, content, offset, kBlockSize),
              std::min<std::uint64_t>(kBlockSize, content->size() - offset));
  }
}

TEST(BlockReader, SequentialReadsHitBlocksMadeAhead) {
  BlockReader reader({.threads = 2});
  const auto content = std::make_shared<CountingContent>(40 * kBlockSize + 5);
  read_blocks(reader, content, 0, 4);
  EXPECT_TRUE(wait_until([&] { return reader.blocks().counters().ahead == 4; }));
  read_blocks(reader, content, 4, 8);
  EXPECT_EQ(reader.blocks().counters().misses, 4U);
  EXPECT_EQ(reader.blocks().counters().hits, 4U);
  read_blocks(reader, content, 8, 41);
  EXPECT_EQ(read_some(reader, content, content->size(), 1), 0U);
}

TEST(BlockReader, BlocksAheadAreBoundedPerStream) {
  BlockReader reader({.threads = 3});
  const auto content = std::make_shared<CountingContent>(60 * kBlockSize);
  for (std::uint64_t block = 0; block < 40; ++block) {
    read_blocks(reader, content, block, block + 1);
    for (std::uint64_t far = block + 1 + Streams::kDepth; far < 60; ++far) {
      ASSERT_EQ(content->reads[far], 0) << block;
    }
  }
  // Blocks behind the reader are dropped, except one or two that were made too late.
  EXPECT_LT(reader.blocks().counters().blocks, 20U);
}

TEST(BlockReader, ReaderJoinsBlockBeingMadeAhead) {
  BlockReader reader({.threads = 1});
  const auto content = std::make_shared<CountingContent>(20 * kBlockSize);
  content->held_from = 4;
  read_blocks(reader, content, 0, 4);
  ASSERT_TRUE(wait_until([&] { return content->reads[4] == 1; }));
  std::thread demand([&] { read_blocks(reader, content, 4, 5); });
  EXPECT_TRUE(wait_until([&] { return reader.blocks().counters().joins == 1; }));
  content->held_from = 20;
  demand.join();
  EXPECT_EQ(content->reads[4], 1);
}

TEST(BlockReader, RandomReadsAndSmallFilesMakeNoBlocksAhead) {
  BlockReader reader({.threads = 2});
  const auto content = std::make_shared<CountingContent>(1000 * kBlockSize);
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) read_some(reader, content, random() % content->size(), 4096);
  for (Inode file = 100; file < 1000; ++file) {
    ASSERT_TRUE(
        reader.read(file, std::make_shared<TextContent>("a game"), false, 0, kBlockSize, whole())
            .ok());
  }
  EXPECT_EQ(reader.blocks().counters().ahead, 0U);
}

TEST(BlockReader, WorksWithoutMemoryForBlocksAhead) {
  for (const std::size_t budget :
       {std::size_t{0}, kBlockSize, std::size_t{2 * Streams::kSpan * kBlockSize - 1}}) {
    BlockReader reader({.cache_bytes = budget, .threads = 2});
    const auto content = std::make_shared<CountingContent>(40 * kBlockSize);
    read_blocks(reader, content, 0, 40);
    const cache::BlockCache::Counters counters = reader.blocks().counters();
    EXPECT_EQ(counters.ahead, 0U) << budget;
    EXPECT_LE(counters.bytes, budget);
  }
}

TEST(BlockReader, StaysWithinMemoryWithManyStreams) {
  const std::size_t budget = 4 * Streams::kSpan * kBlockSize;
  BlockReader reader({.cache_bytes = budget, .threads = 2});
  run_threads(4, [&](unsigned thread) {
    const auto content = std::make_shared<CountingContent>(40 * kBlockSize);
    for (std::uint64_t block = 0; block < 40; ++block) {
      const auto slice =
          reader.read(thread, content, false, block * kBlockSize, kBlockSize, whole());
      ASSERT_TRUE(slice.ok());
      EXPECT_TRUE(is_right(slice->bytes, block * kBlockSize));
      EXPECT_LE(reader.blocks().counters().bytes, budget);
    }
  });
}

TEST(BlockReader, FailureAheadIsIgnoredAndReaderRetries) {
  BlockReader reader({.threads = 1});
  const auto content = std::make_shared<CountingContent>(20 * kBlockSize);
  content->bad = 5;
  content->failures_left = 1;
  read_blocks(reader, content, 0, 4);
  ASSERT_TRUE(wait_until([&] { return reader.blocks().counters().failures == 1; }));
  read_blocks(reader, content, 4, 20);
  EXPECT_EQ(content->reads[5], 2);
}

TEST(BlockReader, PersistentFailureReachesOnlyItsReader) {
  BlockReader reader({.threads = 2});
  const auto content = std::make_shared<CountingContent>(20 * kBlockSize);
  content->bad = 9;
  content->failures_left = 1000;
  read_blocks(reader, content, 0, 9);
  EXPECT_EQ(reader.read(kFile, content, false, 9 * kBlockSize, 1, whole()).status(),
            absl::DataLossError("bad block"));
  read_blocks(reader, content, 10, 20);
}

TEST(BlockReader, BlocksAreMadeWithinBudget) {
  BlockReader reader({.cache_bytes = std::size_t{16} << 20, .threads = 1});
  const auto content = std::make_shared<CountingContent>(3 * kBlockSize);
  const auto read = [&](std::uint64_t block, const WorkBudget& budget) {
    return reader.read(kFile, content, false, block * kBlockSize, 1, budget).status();
  };
  const WorkBudget small = WorkBudget::limited(200);
  EXPECT_TRUE(read(2, small).ok());
  EXPECT_TRUE(absl::IsUnavailable(read(0, small)));
  EXPECT_EQ(content->reads[0], 0);
  EXPECT_TRUE(read(0, whole()).ok());
  // Cached blocks use no budget.
  EXPECT_TRUE(read(0, small).ok());
  EXPECT_TRUE(read(2, WorkBudget::limited(0)).ok());
}

TEST(BlockReader, RemoteBlocksArePrefetchedAndMadeByTheirReader) {
  constexpr std::uint64_t kBlocks = 40;
  const auto content = std::make_shared<CountingContent>(kBlocks * kBlockSize);
  BlockReader reader({.threads = 2});
  for (std::uint64_t block = 0; block < kBlocks / 2; ++block) {
    const auto slice = reader.read(kFile, content, true, block * kBlockSize, kBlockSize, whole());
    ASSERT_TRUE(slice.ok());
    EXPECT_TRUE(is_right(slice->bytes, block * kBlockSize));
  }
  EXPECT_EQ(content->expected[kBlocks / 2], 1);
  for (std::uint64_t block = 0; block < kBlocks; ++block) {
    EXPECT_EQ(content->reads[block], block < kBlocks / 2 ? 1 : 0) << block;
    EXPECT_LE(content->expected[block], 1) << block;
  }
}

TEST(BlockReader, DestructorWaitsForBlockBeingMade) {
  const auto content = std::make_shared<CountingContent>(20 * kBlockSize);
  content->held_from = 4;
  auto reader = std::make_unique<BlockReader>(BlockReader::Options{.threads = 1});
  read_blocks(*reader, content, 0, 4);
  ASSERT_TRUE(wait_until([&] { return content->reads[4] == 1; }));
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    content->held_from = 20;
  });
  reader.reset();
  release.join();
  EXPECT_EQ(content.use_count(), 1);
}

TEST(BlockReader, ManyReadersSeeTheSameBytes) {
  BlockReader reader({.cache_bytes = 8 << 20, .threads = 3});
  const auto content = std::make_shared<CountingContent>(24 * kBlockSize + 77);
  run_threads(6, [&](unsigned thread) {
    std::mt19937 random(thread);
    const std::size_t step = 10'000 << thread;
    for (int round = 0; round < 3; ++round) {
      for (std::uint64_t offset = random() % (8 * kBlockSize); offset < content->size();) {
        const std::size_t got = read_some(reader, content, offset, step);
        ASSERT_GT(got, 0U);
        offset += got;
      }
    }
  });
}

}  // namespace
}  // namespace scidfs::fs
