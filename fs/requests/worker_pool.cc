#include "fs/requests/worker_pool.h"

#include <malloc.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "fs/base/thread.h"
#include "fs/file/locality.h"
#include "fs/requests/pooled_question.h"

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
  const std::function<bool()> has_left = [this, &task] { return is_over_ || task.is_cancelled(); };
  PooledQuestion question(memory_, task.queue.user, has_left);
  const bool is_local = task.queue.source == kLocal;
  if (is_local) {
    question.take_turns(turns_);
    question.pause();
    // What any answer takes, such as its blocks of texts. It fails only if the asker has left. What
    // waits for a server takes none, and leaves all to others.
    constexpr std::size_t kOfEach = std::size_t{2} << 20;
    question.take_memory(kOfEach).IgnoreError();
  }
  task.answer(WorkBudget::unlimited(question, is_local ? 0 : kRemoteThreads));
  // The allocator keeps what it was given back for each thread: half as much as all questions may
  // have. This takes a small part of the time that so much memory took.
  if (question.most_memory() >= much_) ::malloc_trim(0);
}

std::size_t WorkerPool::room(SourceId source) const {
  const auto found = running_.find(source);
  const std::size_t running = found == running_.end() ? 0 : found->second;
  return source == kLocal ? kMostThreads - running
                          : std::min(kMostOfOne - running, kMostRemote - remote_running_);
}

std::size_t WorkerPool::ready(const Queues::value_type& queue) const {
  const auto& [id, waiting] = queue;
  std::size_t room = this->room(id.source);
  if (id.source == kLocal) room = std::min(room, kMostOfUser - waiting.running);
  return std::min(waiting.tasks.size(), room);
}

// Returns whether more tasks may begin than there are idle threads.
bool WorkerPool::wants_thread() const {
  if (is_closed_ || threads_.size() >= kMostThreads + kMostRemote) return false;
  std::size_t ready = 0;
  for (auto queue = queues_.begin(); queue != queues_.end();) {
    const SourceId source = queue->first.source;
    std::size_t of_source = 0;
    for (; queue != queues_.end() && queue->first.source == source; ++queue) {
      of_source += this->ready(*queue);
    }
    ready += std::min(of_source, room(source));
  }
  return idle_ < ready;
}

void WorkerPool::submit(QueueId queue, std::function<bool()> is_cancelled,
                        absl::AnyInvocable<void(const WorkBudget&)> answer) {
  Task task{.queue = queue, .is_cancelled = std::move(is_cancelled), .answer = std::move(answer)};
  {
    const cache::MutexLock lock(mutex_);
    if (!is_closed_) queues_[queue].tasks.push_back(std::move(task));
    if (wants_thread()) {
      try {
        threads_.push_back(start_thread("slow answers", [this] {
          let_others_go_first();
          work();
        }));
      } catch (const std::system_error&) {
        // The existing threads will run the task.
      }
    }
    if (!is_closed_ && !threads_.empty()) {
      something_to_do_.notify_one();
      return;
    }
    if (!is_closed_) {
      task = std::move(queues_[queue].tasks.back());
      queues_[queue].tasks.pop_back();
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
  ++running_[last_.source];
  if (last_.source != kLocal) ++remote_running_;
  return true;
}

void WorkerPool::done(QueueId id) {
  const cache::MutexLock lock(mutex_);
  const auto queue = queues_.find(id);
  --queue->second.running;
  if (--running_[id.source] == 0) running_.erase(id.source);
  if (id.source != kLocal) --remote_running_;
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
    run(task);
    done(task.queue);
  }
}

}  // namespace scidfs::fs
