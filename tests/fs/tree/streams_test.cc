#include "fs/tree/streams.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <utility>
#include <vector>

namespace scidfs::fs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kMany = 1'000'000'000;

class StreamsTest : public testing::Test {
 protected:
  Streams::Range read(std::uint64_t file, std::uint64_t block, std::size_t bytes = kBlockSize,
                      std::uint64_t blocks = kMany) {
    return streams_.note({.key = {file, block}, .bytes = bytes, .blocks = blocks}, content_);
  }
  // The blocks of `file` to be made, the most urgent first.
  std::vector<std::uint64_t> work(std::uint64_t file) {
    std::vector<std::uint64_t> blocks;
    while (streams_.has_work()) {
      const std::optional<Streams::Work> next = streams_.next();
      EXPECT_EQ(next->content, content_);
      if (next->key.file == file) blocks.push_back(next->key.block);
    }
    EXPECT_FALSE(streams_.next().has_value());
    return blocks;
  }

  Streams streams_{16};
  const ContentPtr content_ = std::make_shared<TextContent>("");
};

TEST_F(StreamsTest, WindowGrowsWithTheStream) {
  for (std::uint64_t block = 0; block < 3; ++block) {
    read(1, block);
    EXPECT_THAT(work(1), IsEmpty()) << block;
  }
  read(1, 3);
  EXPECT_THAT(work(1), ElementsAre(4, 5, 6, 7));
  read(1, 4);
  EXPECT_THAT(work(1), ElementsAre(8, 9));
  for (std::uint64_t block = 5; block < 50; ++block) {
    read(1, block);
    work(1);
  }
  read(1, 50);
  EXPECT_THAT(work(1), ElementsAre(50 + Streams::kDepth));
}

TEST_F(StreamsTest, StreamMayBeginInTheMiddleAndEndsWithTheFile) {
  for (std::uint64_t block = 40; block < 44; ++block) read(1, block, kBlockSize, 46);
  EXPECT_THAT(work(1), ElementsAre(44, 45));
  read(1, 44, kBlockSize, 46);
  read(1, 45, 1, 46);
  EXPECT_THAT(work(1), IsEmpty());
}

TEST_F(StreamsTest, ReorderedReadsContinueTheStream) {
  for (const std::uint64_t block : {2, 0, 3, 1, 4, 6, 7, 5}) read(1, block);
  EXPECT_THAT(work(1), ElementsAre(8, 9, 10, 11, 12, 13));
}

TEST_F(StreamsTest, ManyReadsOfOneBlockCountOnce) {
  constexpr std::size_t kPage = 4096;
  for (std::size_t read_so_far = 0; read_so_far < 4 * kBlockSize; read_so_far += kPage) {
    read(1, read_so_far / kBlockSize, kPage);
  }
  EXPECT_THAT(work(1), ElementsAre(4, 5, 6, 7));
}

TEST_F(StreamsTest, SparseReaderHasNoStream) {
  for (std::uint64_t block = 0; block < 50; ++block) {
    const Streams::Range behind = read(1, block, 4096);
    EXPECT_EQ(behind.first, behind.last);
  }
  EXPECT_THAT(work(1), IsEmpty());
}

TEST_F(StreamsTest, BackwardReaderHasNoStream) {
  for (std::uint64_t block = 100; block-- > 0;) read(1, block);
  EXPECT_THAT(work(1), IsEmpty());
}

TEST_F(StreamsTest, RandomReadsHaveNoStream) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    // Two blocks, the size of a request of the kernel.
    const std::uint64_t block = random() % kMany;
    read(1, block);
    read(1, block + 1);
  }
  EXPECT_THAT(work(1), IsEmpty());
}

TEST_F(StreamsTest, FollowsSeveralReadersOfSeveralFiles) {
  for (std::uint64_t block = 0; block < 4; ++block) {
    read(1, block);
    read(2, block);
    read(1, 500 + block);
  }
  std::set<std::pair<std::uint64_t, std::uint64_t>> made;
  while (const std::optional<Streams::Work> next = streams_.next()) {
    EXPECT_TRUE(made.emplace(next->key.file, next->key.block).second);
  }
  EXPECT_EQ(made.size(), 12U);
  EXPECT_TRUE(made.contains({1, 7}));
  EXPECT_TRUE(made.contains({1, 507}));
  EXPECT_TRUE(made.contains({2, 7}));
}

TEST_F(StreamsTest, StreamWithLeastAheadComesFirst) {
  for (std::uint64_t block = 0; block < 8; ++block) read(1, block);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(streams_.next()->key.file, 1U);
  for (std::uint64_t block = 0; block < 8; ++block) read(2, block);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(streams_.next()->key.file, 2U);
}

TEST_F(StreamsTest, LeastRecentlyUsedStreamIsReplaced) {
  for (std::uint64_t block = 0; block < 8; ++block) read(1, block);
  for (std::uint64_t file = 2; file <= 16; ++file) read(file, 0);
  EXPECT_EQ(streams_.next()->key, (cache::BlockKey{1, 8}));
  read(1, 8);
  for (std::uint64_t file = 17; file <= 31; ++file) read(file, 0);
  EXPECT_EQ(streams_.next()->key, (cache::BlockKey{1, 9}));
  read(32, 0);
  EXPECT_FALSE(streams_.next().has_value());
}

TEST_F(StreamsTest, ReportsBlocksLeftBehindOnce) {
  std::uint64_t behind = 70;
  for (std::uint64_t block = 70; block < 100; ++block) {
    const Streams::Range range = read(1, block);
    if (range.first == range.last) continue;
    EXPECT_EQ(range.first, behind);
    EXPECT_LE(range.last + Streams::kBack, block + 1);
    behind = range.last;
  }
  EXPECT_EQ(behind, 100 - Streams::kBack);
}

TEST_F(StreamsTest, WorkSkipsBlocksThatReaderHasPassed) {
  for (std::uint64_t block = 0; block < 20; ++block) read(1, block);
  EXPECT_EQ(streams_.next()->key.block, 20U);
}

TEST_F(StreamsTest, HoldsContentOnlyWhileThereIsWork) {
  const long before = content_.use_count();
  for (std::uint64_t block = 0; block < 8; ++block) read(1, block);
  EXPECT_GT(content_.use_count(), before);
  work(1);
  EXPECT_EQ(content_.use_count(), before);
}

TEST(Streams, NoneIsFollowedWithoutMemory) {
  Streams streams(0);
  const ContentPtr content = std::make_shared<TextContent>("");
  for (std::uint64_t block = 0; block < 20; ++block) {
    const Streams::Range behind =
        streams.note({.key = {1, block}, .bytes = kBlockSize, .blocks = kMany}, content);
    EXPECT_EQ(behind.last, 0U);
  }
  EXPECT_FALSE(streams.next().has_value());
}

}  // namespace
}  // namespace scidfs::fs
