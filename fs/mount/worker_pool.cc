#include "fs/mount/worker_pool.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "fs/base/thread.h"
#include "fs/file/locality.h"

namespace scidfs::fs {

void WorkerPool::close() {
  stop();
  std::vector<std::thread> threads;
  {
    const cache::MutexLock lock(mutex_);
    is_closed_ = true;
    threads.swap(threads_);
  }
  something_to_do_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void WorkerPool::run(Task& task) {
  const unsigned threads = task.owner == kLocal ? 0 : kRemoteThreads;
  task.answer(WorkBudget::unlimited(
      [this, is_cancelled = std::move(task.is_cancelled)] { return is_over_ || is_cancelled(); },
      threads));
}

std::size_t WorkerPool::ready(const Queues::value_type& queue) const {
  const auto& [owner, waiting] = queue;
  const std::size_t room =
      owner == kLocal ? kMostThreads - waiting.running
                      : std::min(kMostOfOne - waiting.running, kMostRemote - remote_running_);
  return std::min(waiting.tasks.size(), room);
}

// Returns whether more tasks may begin than there are idle threads.
bool WorkerPool::wants_thread() const {
  if (is_closed_ || threads_.size() >= kMostThreads + kMostRemote) return false;
  std::size_t ready = 0;
  for (const auto& queue : queues_) ready += this->ready(queue);
  return idle_ < ready;
}

void WorkerPool::submit(QueueId owner, std::function<bool()> is_cancelled,
                        absl::AnyInvocable<void(const WorkBudget&)> answer) {
  Task task{.owner = owner, .is_cancelled = std::move(is_cancelled), .answer = std::move(answer)};
  {
    const cache::MutexLock lock(mutex_);
    if (!is_closed_) queues_[owner].tasks.push_back(std::move(task));
    if (wants_thread()) {
      try {
        threads_.push_back(start_thread("slow answers", [this] { work(); }));
      } catch (const std::system_error&) {
        // The existing threads will run the task.
      }
    }
    if (!is_closed_ && !threads_.empty()) {
      something_to_do_.notify_one();
      return;
    }
    if (!is_closed_) {
      task = std::move(queues_[owner].tasks.back());
      queues_[owner].tasks.pop_back();
    }
  }
  run(task);
}

// The queues with tasks that may begin take turns.
bool WorkerPool::take(Task& task) {
  const auto begin = queues_.upper_bound(last_);
  auto found = begin;
  while (found != queues_.end() && ready(*found) == 0) ++found;
  if (found == queues_.end()) {
    found = queues_.begin();
    while (found != begin && ready(*found) == 0) ++found;
    if (found == begin) return false;
  }
  last_ = found->first;
  task = std::move(found->second.tasks.front());
  found->second.tasks.pop_front();
  ++found->second.running;
  if (last_ != kLocal) ++remote_running_;
  return true;
}

void WorkerPool::done(QueueId owner) {
  const cache::MutexLock lock(mutex_);
  const auto queue = queues_.find(owner);
  --queue->second.running;
  if (owner != kLocal) --remote_running_;
  if (queue->second.running == 0 && queue->second.tasks.empty()) queues_.erase(queue);
}

void WorkerPool::work() {
  for (;;) {
    Task task;
    {
      const cache::MutexLock lock(mutex_);
      ++idle_;
      bool has_task = take(task);
      while (!has_task && !is_closed_) {
        something_to_do_.wait(mutex_);
        has_task = take(task);
      }
      --idle_;
      // Waiting tasks are still answered at the end, with Cancelled. Tasks that may not begin yet
      // are left to the threads that run tasks of the same queue.
      if (!has_task) return;
    }
    const QueueId owner = task.owner;
    run(task);
    done(owner);
  }
}

}  // namespace scidfs::fs
