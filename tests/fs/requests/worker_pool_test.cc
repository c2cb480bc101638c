// Tasks that take long.
#include "fs/requests/worker_pool.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "fs/file/locality.h"
#include "tests/fs/never.h"

namespace scidfs::fs {
namespace {

using std::chrono::milliseconds;

constexpr WorkerPool::QueueId kLocal{};

// Polls rarely, because many threads wait at a time.
void await(const std::function<bool()>& what) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!what()) {
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << "waits in vain";
      return;
    }
    std::this_thread::sleep_for(milliseconds(1));
  }
}

TEST(WorkerPoolTest, RunsTasksOnSeparateThreads) {
  std::atomic<int> waiting = 0;
  std::atomic<int> finished = 0;
  const std::thread::id here = std::this_thread::get_id();
  WorkerPool pool;
  constexpr int kTasks = 8;
  for (int i = 0; i < kTasks; ++i) {
    pool.submit(kLocal, never, [&](const WorkBudget& budget) {
      EXPECT_TRUE(budget.is_unlimited());
      EXPECT_NE(std::this_thread::get_id(), here);
      // All tasks are running; those that wait let others work.
      ++waiting;
      budget.will_wait();
      await([&] { return waiting == kTasks; });
      ++finished;
    });
  }
  await([&] { return finished == kTasks; });
}

TEST(WorkerPoolTest, UserWithManyTasksLeavesThreadsToOthers) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> running = 0;
  std::atomic<std::size_t> finished = 0;
  WorkerPool pool;
  constexpr std::size_t kTasks = 2 * WorkerPool::kMostThreads;
  for (std::size_t i = 0; i < kTasks; ++i) {
    pool.submit({.user = 1}, never, [&](const WorkBudget& budget) {
      ++running;
      budget.will_wait();
      await([&] { return is_open.load(); });
      ++finished;
    });
  }
  await([&] { return running == WorkerPool::kMostOfUser; });
  std::atomic<bool> is_given = false;
  pool.submit({.user = 2}, never, [&](const WorkBudget&) { is_given = true; });
  await([&] { return is_given.load(); });
  EXPECT_EQ(running, WorkerPool::kMostOfUser);
  EXPECT_EQ(finished, 0U);
  is_open = true;
  await([&] { return finished == kTasks; });
}

TEST(WorkerPoolTest, UsersOfRemoteSourceTakeTurns) {
  std::atomic<std::size_t> waiting = 0;
  std::atomic<std::size_t> may_end = 0;
  std::atomic<std::size_t> asked = 0;
  std::vector<uid_t> order;  // written by the only thread that is free
  WorkerPool pool;
  for (std::size_t i = 0; i < WorkerPool::kMostOfOne; ++i) {
    pool.submit({.source = 7, .user = 1}, never, [&, i](const WorkBudget&) {
      ++waiting;
      await([&] { return i < may_end; });
    });
  }
  await([&] { return waiting == WorkerPool::kMostOfOne; });
  for (const uid_t user : {1U, 1U, 1U, 2U, 3U}) {
    pool.submit({.source = 7, .user = user}, never, [&, user](const WorkBudget&) {
      order.push_back(user);
      ++asked;
    });
  }
  may_end = 1;
  await([&] { return asked == 5; });
  EXPECT_THAT(order, testing::ElementsAre(2, 3, 1, 1, 1));
  may_end = WorkerPool::kMostOfOne;
}

TEST(WorkerPoolTest, TasksBeyondThreadsAreQueued) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> finished = 0;
  WorkerPool pool;
  constexpr std::size_t kTasks = 3 * WorkerPool::kMostThreads;
  for (std::size_t i = 0; i < kTasks; ++i) {
    pool.submit(kLocal, never, [&](const WorkBudget&) {
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
      kLocal, [&] { return is_cancelled.load(); },
      [&](const WorkBudget& budget) {
        await([&] { return budget.is_cancelled(); });
        ended = true;
      });
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(ended);
  is_cancelled = true;
  await([&] { return ended.load(); });
  pool.submit(kLocal, never,
              [&](const WorkBudget& budget) { other_is_cancelled = budget.is_cancelled(); });
  await([&] { return !other_is_cancelled; });
}

TEST(WorkerPoolTest, ClosingCancelsAllTasksAndRunsEach) {
  std::atomic<std::size_t> finished = 0;
  WorkerPool pool;
  constexpr std::size_t kTasks = 2 * WorkerPool::kMostThreads;
  for (std::size_t i = 0; i < kTasks; ++i) {
    pool.submit(kLocal, never, [&](const WorkBudget& budget) {
      await([&] { return budget.is_cancelled(); });
      ++finished;
    });
  }
  pool.close();
  EXPECT_EQ(finished, kTasks);
  // Later tasks are cancelled before they begin.
  pool.submit(kLocal, never,
              [&](const WorkBudget& budget) { finished += budget.is_cancelled() ? 1 : 0; });
  EXPECT_EQ(finished, kTasks + 1);
}

TEST(WorkerPoolTest, HangingServerUsesOnlyThreadsOfItsQueue) {
  std::atomic<bool> is_open = false;
  std::atomic<std::size_t> waiting = 0;
  std::atomic<std::size_t> finished = 0;
  WorkerPool pool;
  constexpr WorkerPool::QueueId kHanging{.source = 7};
  constexpr WorkerPool::QueueId kOther{.source = 8};
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
  for (const WorkerPool::QueueId queue : {kLocal, kOther}) {
    std::atomic<bool> is_given = false;
    pool.submit(queue, never, [&](const WorkBudget&) { is_given = true; });
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
  for (WorkerPool::SourceId source = 1; source <= kServers; ++source) {
    for (std::size_t i = 0; i < WorkerPool::kMostOfOne; ++i) {
      pool.submit({.source = source}, never, [&](const WorkBudget&) {
        ++waiting;
        is_open.wait(false);  // hundreds of threads that look again and again would leave an
                              // emulator no time
      });
    }
  }
  await([&] { return waiting == WorkerPool::kMostRemote; });
  std::atomic<bool> is_given = false;
  pool.submit(kLocal, never, [&](const WorkBudget&) { is_given = true; });
  await([&] { return is_given.load(); });
  EXPECT_EQ(waiting, WorkerPool::kMostRemote);
  is_open = true;
  is_open.notify_all();
}

}  // namespace
}  // namespace scidfs::fs
