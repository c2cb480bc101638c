// Work on several threads that throws exceptions.
#include "fs/base/parallel.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <new>
#include <stdexcept>
#include <thread>

#include "fs/base/thread.h"

namespace scidfs::fs {
namespace {

TEST(Parallel, RunsEachTaskOnce) {
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::atomic<std::size_t> sum = 0;
    run_parallel(100, threads, [&sum](std::size_t task) { sum += task; });
    EXPECT_EQ(sum, 4950U) << threads;
  }
}

// Lack of memory on another thread must not end the process. Tasks sleep, so that those after the
// failure cannot all be done while the thread that failed waits for a processor.
TEST(Parallel, ExceptionOfTaskIsRethrownToCaller) {
  constexpr std::size_t kTasks = 50'000;
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::atomic<std::size_t> begun = 0;
    const auto run = [&](std::size_t task) {
      ++begun;
      if (task == 5) throw std::bad_alloc();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    EXPECT_THROW(run_parallel(kTasks, threads, run), std::bad_alloc) << threads;
    EXPECT_GE(begun, 6U);
    EXPECT_LT(begun, kTasks) << "others were begun after the failure";
  }
}

TEST(Thread, ExceptionEndsOnlyTheThread) {
  std::atomic<bool> was_there = false;
  std::thread thread = start_thread("a test", [&was_there] {
    was_there = true;
    throw std::runtime_error("too little memory");
  });
  thread.join();
  EXPECT_TRUE(was_there);
}

}  // namespace
}  // namespace scidfs::fs
