// The thread of a program that has sent a request.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>

namespace scidfs::fs {

// Tells whether the thread still exists. For reads: the kernel sends them ahead of programs, and
// interrupts none of these when a program is killed. A thread that is not seen from here, because
// it is in another namespace, is taken for one that stays. Thread-safe.
class AskingThread {
 public:
  // How often it is looked for.
  static constexpr std::chrono::milliseconds kPause{20};

  // `number`: as gettid() returns it to the thread; 0: one that is not seen.
  explicit AskingThread(pid_t number);

  // Returns whether it existed before, and no longer does. Costs little, however often it is asked.
  bool has_ended() const;

 private:
  static bool exists(pid_t number);
  // Returns the time in nanoseconds.
  static std::int64_t now();

  const pid_t number_;  // 0: not seen
  mutable std::atomic<std::int64_t> next_look_ = 0;
  mutable std::atomic<bool> has_ended_ = false;
};

}  // namespace scidfs::fs
