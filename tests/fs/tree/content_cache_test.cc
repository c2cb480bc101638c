// One of several callers opens a content for all of them.
#include "fs/tree/content_cache.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/library.h"

namespace scidfs::fs {
namespace {

// Counts how often it is opened, and waits on request.
class Counting : public Node {
 public:
  bool is_directory() const override { return false; }
  bool is_cheap() const override { return cheap; }
  absl::StatusOr<std::unique_ptr<Content>> open(const WorkBudget& budget) const override {
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
  std::atomic<bool> cheap = false;
};

class ContentCacheTest : public testing::Test {
 protected:
  absl::StatusOr<ContentPtr> get(Inode inode = 7,
                                 const WorkBudget& budget = tests::unlimited_budget()) {
    return cache_.get(inode, file_, budget);
  }
  void wait_until_opening() const {
    while (file_.opened == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

  Counting file_;
  ContentCache cache_{1 << 20};
};

TEST_F(ContentCacheTest, ContentIsOpenedOnceAndKept) {
  const absl::StatusOr<ContentPtr> first = get();
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(*get(), *first);
  EXPECT_EQ(*get(7, WorkBudget::limited(0)), *first);
  EXPECT_EQ(file_.opened, 1);
  cache_.drop([](Inode) { return true; });
  EXPECT_TRUE(get().ok());
  EXPECT_EQ(file_.opened, 2);
}

TEST_F(ContentCacheTest, CheapContentIsNotKept) {
  file_.cheap = true;
  EXPECT_TRUE(get().ok());
  EXPECT_TRUE(get().ok());
  EXPECT_EQ(file_.opened, 2);
}

TEST_F(ContentCacheTest, FailureIsNotKept) {
  file_.fails = true;
  EXPECT_TRUE(absl::IsDataLoss(get().status()));
  file_.fails = false;
  EXPECT_TRUE(get().ok());
  EXPECT_EQ(file_.opened, 2);
}

TEST_F(ContentCacheTest, OneCallerOpensAndOthersWaitUnlessLimited) {
  file_.is_held = true;
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { good += get().ok() ? 1 : 0; });
  wait_until_opening();
  EXPECT_TRUE(absl::IsUnavailable(get(7, WorkBudget::limited(1000)).status()));
  EXPECT_TRUE(absl::IsCancelled(get(7, WorkBudget::unlimited([] { return true; })).status()));
  file_.is_held = false;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 4);
  EXPECT_EQ(file_.opened, 1);
}

TEST_F(ContentCacheTest, CancelledOpenIsTakenOverByOthers) {
  file_.is_held = true;
  std::atomic<bool> has_left = false;
  std::thread first([&] {
    EXPECT_TRUE(
        absl::IsCancelled(get(7, WorkBudget::unlimited([&] { return has_left.load(); })).status()));
  });
  wait_until_opening();
  std::thread second([&] { EXPECT_TRUE(get().ok()); });
  has_left = true;
  first.join();
  file_.is_held = false;
  second.join();
  EXPECT_EQ(file_.opened, 2);
}

}  // namespace
}  // namespace scidfs::fs
