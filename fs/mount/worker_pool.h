// Answers that take long: given by threads of their own, so that the few that take the kernel's
// requests go on.
#pragma once

#include <absl/functional/any_invocable.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "cache/mutex.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// Thread-safe. Threads are started when they are wanted, up to a number that is never reached by
// programs that wait for one answer at a time each; what is beyond waits its turn.
//
// Answers that wait for a server may keep their threads for ever. So whatever is far has a bound of
// its own: what hangs there takes the threads of nobody else.
class WorkerPool {
 public:
  // Whose answer it is: a number for each thing that is far.
  using QueueId = std::uint16_t;
  static constexpr QueueId kLocal = 0;

  // For all that is near; for each thing that is far; and for all of those.
  static constexpr std::size_t kMostThreads = 32;
  static constexpr std::size_t kMostOfOne = 16;
  static constexpr std::size_t kMostRemote = 512;

  WorkerPool() = default;
  // As close().
  ~WorkerPool() { close(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Has `answer` called on another thread with a whole effort, which is over when `has_left` says
  // that whoever asked does not wait any more, or after stop(). `has_left` is asked by several
  // threads at once. On the calling thread if there can be no other.
  void submit(QueueId owner, std::function<bool()> is_cancelled,
              absl::AnyInvocable<void(const WorkBudget&)> answer) ABSL_LOCKS_EXCLUDED(mutex_);

  // Ends all efforts.
  void stop() { is_over_ = true; }
  // The same, and waits until all answers have been given. Then nothing more is taken.
  void close() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Task {
    QueueId owner = kLocal;
    std::function<bool()> is_cancelled;
    absl::AnyInvocable<void(const WorkBudget&)> answer;
  };
  struct Queue {
    std::deque<Task> tasks;
    std::size_t running = 0;
  };
  using Queues = std::map<QueueId, Queue>;

  void work() ABSL_LOCKS_EXCLUDED(mutex_);
  void run(Task& task);
  bool wants_thread() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // How many tasks of a queue may begin.
  std::size_t ready(const Queues::value_type& queue) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The next task that may begin; false if there is none.
  bool take(Task& task) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void done(QueueId owner) ABSL_LOCKS_EXCLUDED(mutex_);

  std::atomic<bool> is_over_ = false;
  cache::Mutex mutex_;
  cache::CondVar something_to_do_;
  // Of those that have tasks, waiting or running.
  Queues queues_ ABSL_GUARDED_BY(mutex_);
  std::size_t remote_running_ ABSL_GUARDED_BY(mutex_) = 0;
  QueueId last_ ABSL_GUARDED_BY(mutex_) = kLocal;  // that a task was taken of
  std::size_t idle_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
