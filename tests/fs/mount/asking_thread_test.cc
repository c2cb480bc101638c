#include "fs/mount/asking_thread.h"

#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

namespace scidfs::fs {
namespace {

using std::chrono::milliseconds;

bool ends_soon(const AskingThread& thread) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!thread.has_ended() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(AskingThread::kPause / 4);
  }
  return thread.has_ended();
}

TEST(AskingThreadTest, EndsWithItsThreadThoughTheProcessGoesOn) {
  std::atomic<pid_t> number = 0;
  std::atomic<bool> is_over = false;
  std::thread running([&] {
    number = ::gettid();
    while (!is_over) std::this_thread::sleep_for(milliseconds(1));
  });
  while (number == 0) std::this_thread::yield();
  const AskingThread thread(number);
  std::this_thread::sleep_for(2 * AskingThread::kPause);
  EXPECT_FALSE(thread.has_ended());
  std::this_thread::sleep_for(2 * AskingThread::kPause);
  EXPECT_FALSE(thread.has_ended());
  is_over = true;
  running.join();
  EXPECT_TRUE(ends_soon(thread));
}

TEST(AskingThreadTest, OneThatIsNotSeenStays) {
  for (const pid_t number : {0, std::numeric_limits<pid_t>::max()}) {
    const AskingThread thread(number);
    EXPECT_FALSE(thread.has_ended());
    std::this_thread::sleep_for(2 * AskingThread::kPause);
    EXPECT_FALSE(thread.has_ended());
  }
}

}  // namespace
}  // namespace scidfs::fs
