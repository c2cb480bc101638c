#include "fs/mount/asking_thread.h"

#include <sched.h>

#include <cerrno>
#include <ctime>

namespace scidfs::fs {

AskingThread::AskingThread(pid_t number) : number_(exists(number) ? number : 0) {}

// The sandbox allows this, and it needs no rights over the thread.
bool AskingThread::exists(pid_t number) {
  return number > 0 && (::sched_getscheduler(number) >= 0 || errno != ESRCH);
}

std::int64_t AskingThread::now() {
  constexpr std::int64_t kSecond = 1'000'000'000;
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

bool AskingThread::has_ended() const {
  if (number_ == 0 || has_ended_.load(std::memory_order_relaxed)) return number_ != 0;
  const std::int64_t time = now();
  if (time < next_look_.load(std::memory_order_relaxed)) return false;
  next_look_.store(time + std::chrono::nanoseconds(kPause).count(), std::memory_order_relaxed);
  if (!exists(number_)) has_ended_.store(true, std::memory_order_relaxed);
  return has_ended_.load(std::memory_order_relaxed);
}

}  // namespace scidfs::fs
