// Answers that take long: given by threads of their own, so that the few that take the kernel's
// requests go on.
#pragma once

#include <absl/functional/any_invocable.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "cache/mutex.h"
#include "fs/content/effort.h"

namespace scidfs::fs {

// Thread-safe. Threads are started when they are wanted, up to a number that is never reached by
// programs that wait for one answer at a time each; what is beyond waits its turn.
class SlowLane {
 public:
  static constexpr std::size_t kMostThreads = 32;

  SlowLane() = default;
  // As close().
  ~SlowLane() { close(); }
  SlowLane(const SlowLane&) = delete;
  SlowLane& operator=(const SlowLane&) = delete;

  // Has `answer` called on another thread with a whole effort, which is over when `has_left` says
  // that whoever asked does not wait any more, or after stop(). `has_left` is asked by several
  // threads at once. On the calling thread if there can be no other.
  void give(std::function<bool()> has_left, absl::AnyInvocable<void(const Effort&)> answer)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Ends all efforts.
  void stop() { is_over_ = true; }
  // The same, and waits until all answers have been given. Then nothing more is taken.
  void close() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Task {
    std::function<bool()> has_left;
    absl::AnyInvocable<void(const Effort&)> answer;
  };

  void work() ABSL_LOCKS_EXCLUDED(mutex_);
  void run(Task& task);

  std::atomic<bool> is_over_ = false;
  cache::Mutex mutex_;
  cache::CondVar something_to_do_;
  std::deque<Task> tasks_ ABSL_GUARDED_BY(mutex_);
  std::size_t idle_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
