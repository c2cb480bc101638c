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
  std::atomic<int> finished = 0;
  const std::thread::id here = std::this_thread::get_id();
  WorkerPool pool;
  constexpr int kTasks = 8;
  for (int i = 0; i < kTasks; ++i) {
    pool.submit(WorkerPool::kLocal, never, [&](const WorkBudget& budget) {
      EXPECT_TRUE(budget.is_unlimited());
      EXPECT_NE(std::this_thread::get_id(), here);
      // All tasks are running.
      ++waiting;
      await([&] { return waiting == kTasks; });
      ++finished;
    });
  }
  await([&] { return finished == kTasks; });
}

TEST(WorkerPoolTest, TasksBeyondThreadsAreQueued) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> finished = 0;
  WorkerPool pool;
  constexpr std::size_t kTasks = 3 * WorkerPool::kMostThreads;
  for (std::size_t i = 0; i < kTasks; ++i) {
    pool.submit(WorkerPool::kLocal, never, [&](const WorkBudget&) {
      await([&] { return is_open.load(); });
      ++finished;
    });
  }
  EXPECT_EQ(finished, 0U);
  is_open = true;
  await([&] { return finished == kTasks; });
}

TEST(WorkerPoolTest, CancelledTaskDoesNotCancelOthers) {
  std::atomic<bool> is_cancelled = false;
  std::atomic<bool> ended = false;
  std::atomic<bool> other_is_cancelled = true;
  WorkerPool pool;
  pool.submit(
      WorkerPool::kLocal, [&] { return is_cancelled.load(); },
      [&](const WorkBudget& budget) {
        await([&] { return budget.is_cancelled(); });
        ended = true;
      });
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(ended);
  is_cancelled = true;
  await([&] { return ended.load(); });
  pool.submit(WorkerPool::kLocal, never,
              [&](const WorkBudget& budget) { other_is_cancelled = budget.is_cancelled(); });
  await([&] { return !other_is_cancelled; });
}

TEST(WorkerPoolTest, ClosingCancelsAllTasksAndRunsEach) {
  std::atomic<std::size_t> finished = 0;
  WorkerPool pool;
  constexpr std::size_t kTasks = 2 * WorkerPool::kMostThreads;
  for (std::size_t i = 0; i < kTasks; ++i) {
    pool.submit(WorkerPool::kLocal, never, [&](const WorkBudget& budget) {
      await([&] { return budget.is_cancelled(); });
      ++finished;
    });
  }
  pool.close();
  EXPECT_EQ(finished, kTasks);
  // Later tasks are cancelled before they begin.
  pool.submit(WorkerPool::kLocal, never,
              [&](const WorkBudget& budget) { finished += budget.is_cancelled() ? 1 : 0; });
  EXPECT_EQ(finished, kTasks + 1);
}

TEST(WorkerPoolTest, HangingServerUsesOnlyThreadsOfItsQueue) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> waiting = 0;
  std::atomic<std::size_t> finished = 0;
  WorkerPool pool;
  constexpr WorkerPool::QueueId kHanging = 7;
  constexpr WorkerPool::QueueId kOther = 8;
  constexpr std::size_t kTasks = 4 * WorkerPool::kMostOfOne;
  for (std::size_t i = 0; i < kTasks; ++i) {
    pool.submit(kHanging, never, [&](const WorkBudget& budget) {
      EXPECT_EQ(budget.threads(), kRemoteThreads);
      ++waiting;
      await([&] { return is_open.load(); });
      ++finished;
    });
  }
  await([&] { return waiting == WorkerPool::kMostOfOne; });
  for (const WorkerPool::QueueId owner : {WorkerPool::kLocal, kOther}) {
    std::atomic<bool> is_given = false;
    pool.submit(owner, never, [&](const WorkBudget&) { is_given = true; });
    await([&] { return is_given.load(); });
  }
  EXPECT_EQ(waiting, WorkerPool::kMostOfOne);
  is_open = true;
  await([&] { return finished == kTasks; });
}

TEST(WorkerPoolTest, RemoteTasksLeaveThreadsForLocalOnes) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> waiting = 0;
  WorkerPool pool;
  constexpr std::size_t kServers = WorkerPool::kMostRemote / WorkerPool::kMostOfOne + 3;
  for (WorkerPool::QueueId owner = 1; owner <= kServers; ++owner) {
    for (std::size_t i = 0; i < WorkerPool::kMostOfOne; ++i) {
      pool.submit(owner, never, [&](const WorkBudget&) {
        ++waiting;
        is_open.wait(false);  // hundreds of threads that look again and again would leave an
                              // emulator no time
      });
    }
  }
  await([&] { return waiting == WorkerPool::kMostRemote; });
  std::atomic<bool> is_given = false;
  pool.submit(WorkerPool::kLocal, never, [&](const WorkBudget&) { is_given = true; });
  await([&] { return is_given.load(); });
  EXPECT_EQ(waiting, WorkerPool::kMostRemote);
  is_open = true;
  is_open.notify_all();
}

}  // namespace
}  // namespace scidfs::fs
