// Tasks that take long.
#include "fs/mount/worker_pool.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "fs/file/locality.h"
#include "tests/fs/never.h"

namespace scidfs::fs {
namespace {

using std::chrono::milliseconds;

// Polls rarely, because many threads wait at a time.
void await(const std::function<bool()>& what) {
  while (!what()) std::this_thread::sleep_for(milliseconds(1));
}

TEST(WorkerPoolTest, RunsTasksOnSeparateThreads) {
  std::atomic<int> waiting = 0;
  std::atomic<int> given = 0;
  const std::thread::id here = std::this_thread::get_id();
  WorkerPool lane;
  constexpr int kAnswers = 8;
  for (int i = 0; i < kAnswers; ++i) {
    lane.submit(WorkerPool::kLocal, never, [&](const WorkBudget& budget) {
      EXPECT_TRUE(budget.is_unlimited());
      EXPECT_NE(std::this_thread::get_id(), here);
      // All tasks are running.
      ++waiting;
      await([&] { return waiting == kAnswers; });
      ++given;
    });
  }
  await([&] { return given == kAnswers; });
}

TEST(WorkerPoolTest, TasksBeyondThreadsAreQueued) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> given = 0;
  WorkerPool lane;
  constexpr std::size_t kAnswers = 3 * WorkerPool::kMostThreads;
  for (std::size_t i = 0; i < kAnswers; ++i) {
    lane.submit(WorkerPool::kLocal, never, [&](const WorkBudget&) {
      await([&] { return is_open.load(); });
      ++given;
    });
  }
  EXPECT_EQ(given, 0U);
  is_open = true;
  await([&] { return given == kAnswers; });
}

TEST(WorkerPoolTest, CancelledTaskDoesNotCancelOthers) {
  std::atomic<bool> is_cancelled = false;
  std::atomic<bool> ended = false;
  std::atomic<bool> other_is_over = true;
  WorkerPool lane;
  lane.submit(
      WorkerPool::kLocal, [&] { return is_cancelled.load(); },
      [&](const WorkBudget& budget) {
        await([&] { return budget.is_cancelled(); });
        ended = true;
      });
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(ended);
  is_cancelled = true;
  await([&] { return ended.load(); });
  lane.submit(WorkerPool::kLocal, never,
              [&](const WorkBudget& budget) { other_is_over = budget.is_cancelled(); });
  await([&] { return !other_is_over; });
}

TEST(WorkerPoolTest, ClosingCancelsAllTasksAndRunsEach) {
  std::atomic<std::size_t> given = 0;
  WorkerPool lane;
  constexpr std::size_t kAnswers = 2 * WorkerPool::kMostThreads;
  for (std::size_t i = 0; i < kAnswers; ++i) {
    lane.submit(WorkerPool::kLocal, never, [&](const WorkBudget& budget) {
      await([&] { return budget.is_cancelled(); });
      ++given;
    });
  }
  lane.close();
  EXPECT_EQ(given, kAnswers);
  // Later tasks are cancelled before they begin.
  lane.submit(WorkerPool::kLocal, never,
              [&](const WorkBudget& budget) { given += budget.is_cancelled() ? 1 : 0; });
  EXPECT_EQ(given, kAnswers + 1);
}

TEST(WorkerPoolTest, HangingServerUsesOnlyThreadsOfItsQueue) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> waiting = 0;
  std::atomic<std::size_t> given = 0;
  WorkerPool lane;
  constexpr WorkerPool::QueueId kHanging = 7;
  constexpr WorkerPool::QueueId kOther = 8;
  constexpr std::size_t kAnswers = 4 * WorkerPool::kMostOfOne;
  for (std::size_t i = 0; i < kAnswers; ++i) {
    lane.submit(kHanging, never, [&](const WorkBudget& budget) {
      EXPECT_EQ(budget.threads(), kRemoteThreads);
      ++waiting;
      await([&] { return is_open.load(); });
      ++given;
    });
  }
  await([&] { return waiting == WorkerPool::kMostOfOne; });
  for (const WorkerPool::QueueId owner : {WorkerPool::kLocal, kOther}) {
    std::atomic<bool> is_given = false;
    lane.submit(owner, never, [&](const WorkBudget&) { is_given = true; });
    await([&] { return is_given.load(); });
  }
  EXPECT_EQ(waiting, WorkerPool::kMostOfOne);
  is_open = true;
  await([&] { return given == kAnswers; });
}

TEST(WorkerPoolTest, RemoteTasksLeaveThreadsForLocalOnes) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> waiting = 0;
  WorkerPool lane;
  constexpr std::size_t kServers = WorkerPool::kMostRemote / WorkerPool::kMostOfOne + 3;
  for (WorkerPool::QueueId owner = 1; owner <= kServers; ++owner) {
    for (std::size_t i = 0; i < WorkerPool::kMostOfOne; ++i) {
      lane.submit(owner, never, [&](const WorkBudget&) {
        ++waiting;
        await([&] { return is_open.load(); });
      });
    }
  }
  await([&] { return waiting == WorkerPool::kMostRemote; });
  std::atomic<bool> is_given = false;
  lane.submit(WorkerPool::kLocal, never, [&](const WorkBudget&) { is_given = true; });
  await([&] { return is_given.load(); });
  EXPECT_EQ(waiting, WorkerPool::kMostRemote);
  is_open = true;
}

}  // namespace
}  // namespace scidfs::fs
