// Threads that give the slow answers, so that the few threads that take the kernel's requests stay
// free.
#pragma once

#include <absl/functional/any_invocable.h>
#include <sys/types.h>

#include <algorithm>
#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "cache/mutex.h"
#include "fs/content/work_budget.h"
#include "fs/requests/question_memory.h"
#include "fs/requests/turns.h"

namespace scidfs::fs {

// A pool that starts threads on demand, up to limits; further tasks wait, in a queue for each user
// of a source. The queues take turns. Thread-safe.
//
// Answers about local sources use the processors: no more of them are at work than there are
// processors, and users take turns there, too (fs/requests/turns.h). Their threads let others go
// first, such as those that take requests.
//
// Answers that wait for a server may hold their threads indefinitely. So each remote source has a
// limit of its own: a server that hangs takes no threads from others.
class WorkerPool {
 public:
  // The source that an answer needs: a number for each remote one.
  using SourceId = std::uint16_t;
  static constexpr SourceId kLocal = 0;
  // The queue of a task.
  struct QueueId {
    SourceId source = kLocal;
    uid_t user = 0;

    auto operator<=>(const QueueId&) const = default;  // NOLINT(modernize-use-nullptr)
  };

  // For all local sources; for each of their users, so that others find threads; for each remote
  // source; for all remote sources together, whose stacks of 8 MB must leave addresses for the rest
  // where a pointer has 32 bits.
  static constexpr std::size_t kMostThreads = sizeof(void*) < 8 ? 32 : 64;
  static constexpr std::size_t kMostOfUser = 16;
  static constexpr std::size_t kMostOfOne = 16;
  static constexpr std::size_t kMostRemote = sizeof(void*) < 8 ? 128 : 512;

  // Memory for all questions that are at work (fs/requests/question_memory.h).
  static constexpr std::size_t kMemory = std::size_t{512} << 20;

  explicit WorkerPool(std::size_t memory = kMemory)
      : much_(std::min(kMostKept, memory / 2)), memory_(memory) {}
  // Calls close().
  ~WorkerPool() { close(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Calls `answer` on another thread with an unlimited budget. The budget is cancelled when
  // `is_cancelled` returns true, which several threads may call at once, or after stop(). Calls
  // `answer` on the calling thread if no other can be started.
  void submit(QueueId queue, std::function<bool()> is_cancelled,
              absl::AnyInvocable<void(const WorkBudget&)> answer) ABSL_LOCKS_EXCLUDED(mutex_);

  // Cancels all budgets.
  void stop() { is_over_ = true; }
  // Calls stop() and waits until all answers have been given. Accepts no tasks afterwards.
  void close() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Task {
    QueueId queue;
    std::function<bool()> is_cancelled;
    absl::AnyInvocable<void(const WorkBudget&)> answer;
  };
  struct Queue {
    std::deque<Task> tasks;
    std::size_t running = 0;
  };
  using Queues = std::map<QueueId, Queue>;

  // The allocator keeps, for each thread, what smaller questions have given back.
  static constexpr std::size_t kMostKept = std::size_t{8} << 20;

  void work() ABSL_LOCKS_EXCLUDED(mutex_);
  void run(Task& task);
  bool wants_thread() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns how many more tasks of a source may run.
  std::size_t room(SourceId source) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns how many tasks of a queue may begin.
  std::size_t ready(const Queues::value_type& queue) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Takes the next task that may begin. Returns false if there is none.
  bool take(Task& task) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void done(QueueId id) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::size_t much_;  // after a question that had so much, memory goes back to the system
  QuestionMemory memory_;
  Turns turns_{Turns::of_processors()};
  std::atomic<bool> is_over_ = false;
  cache::Mutex mutex_;
  cache::CondVar something_to_do_;
  // Queues that have tasks, waiting or running.
  Queues queues_ ABSL_GUARDED_BY(mutex_);
  std::map<SourceId, std::size_t> running_ ABSL_GUARDED_BY(mutex_);
  std::size_t remote_running_ ABSL_GUARDED_BY(mutex_) = 0;
  QueueId last_ ABSL_GUARDED_BY(mutex_);  // of the last task taken
  std::size_t idle_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_closed_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
