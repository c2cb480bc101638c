// One of several callers opens a content for all of them.
#include "fs/tree/content_cache.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "fs/library/folder_snapshot.h"
#include "tests/support/library.h"

namespace scidfs::fs {
namespace {

constexpr LocalId kFilePlace{.entry = 1};
constexpr LocalId kCheap{.entry = 2};

// Counts how often its files are opened, and waits on request.
class Counting : public FolderSnapshot {
 public:
  Counting() : FolderSnapshot({}, {}) {}

  bool is_cheap(LocalId place) const override { return place == kCheap; }
  absl::StatusOr<std::unique_ptr<Content>> open(LocalId, const WorkBudget& budget) const override {
    ++opened;
    while (is_held && !budget.is_cancelled())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (budget.is_cancelled()) return WorkBudget::cancelled();
    if (fails) return absl::DataLossError("no such luck");
    return std::make_unique<TextContent>("text");
  }

  mutable std::atomic<int> opened = 0;
  std::atomic<bool> is_held = false;
  std::atomic<bool> fails = false;
};

class ContentCacheTest : public testing::Test {
 protected:
  absl::StatusOr<ContentPtr> get(Inode inode = 7,
                                 const WorkBudget& budget = tests::unlimited_budget()) {
    return cache_.get(inode, snapshot_, kFilePlace, budget);
  }
  void wait_until_opening() const {
    while (snapshot_.opened == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  Counting snapshot_;
  ContentCache cache_{1 << 20};
};

TEST_F(ContentCacheTest, ContentIsOpenedOnceAndKept) {
  const absl::StatusOr<ContentPtr> first = get();
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(*get(), *first);
  EXPECT_EQ(*get(7, WorkBudget::limited(0)), *first);
  EXPECT_EQ(snapshot_.opened, 1);
  cache_.drop([](Inode) { return true; });
  EXPECT_TRUE(get().ok());
  EXPECT_EQ(snapshot_.opened, 2);
}

TEST_F(ContentCacheTest, CheapContentIsNotKept) {
  EXPECT_TRUE(cache_.get(7, snapshot_, kCheap, tests::unlimited_budget()).ok());
  EXPECT_TRUE(cache_.get(7, snapshot_, kCheap, tests::unlimited_budget()).ok());
  EXPECT_EQ(snapshot_.opened, 2);
}

TEST_F(ContentCacheTest, FailureIsNotKept) {
  snapshot_.fails = true;
  EXPECT_TRUE(absl::IsDataLoss(get().status()));
  snapshot_.fails = false;
  EXPECT_TRUE(get().ok());
  EXPECT_EQ(snapshot_.opened, 2);
}

TEST_F(ContentCacheTest, OneCallerOpensAndOthersWaitUnlessLimited) {
  snapshot_.is_held = true;
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { good += get().ok() ? 1 : 0; });
  wait_until_opening();
  EXPECT_TRUE(absl::IsUnavailable(get(7, WorkBudget::limited(1000)).status()));
  EXPECT_TRUE(absl::IsCancelled(get(7, WorkBudget::unlimited([] { return true; })).status()));
  snapshot_.is_held = false;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 4);
  EXPECT_EQ(snapshot_.opened, 1);
}

TEST_F(ContentCacheTest, CancelledOpenIsTakenOverByOthers) {
  snapshot_.is_held = true;
  std::atomic<bool> has_left = false;
  std::thread first([&] {
    EXPECT_TRUE(
        absl::IsCancelled(get(7, WorkBudget::unlimited([&] { return has_left.load(); })).status()));
  });
  wait_until_opening();
  std::thread second([&] { EXPECT_TRUE(get().ok()); });
  has_left = true;
  first.join();
  snapshot_.is_held = false;
  second.join();
  EXPECT_EQ(snapshot_.opened, 2);
}

}  // namespace
}  // namespace scidfs::fs
