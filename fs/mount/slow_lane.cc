#include "fs/mount/slow_lane.h"

#include <system_error>
#include <utility>

#include "fs/base/thread.h"

namespace scidfs::fs {

void SlowLane::close() {
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

void SlowLane::run(Task& task) {
  task.answer(Effort::whole(
      [this, has_left = std::move(task.has_left)] { return is_over_ || has_left(); }));
}

void SlowLane::give(std::function<bool()> has_left,
                    absl::AnyInvocable<void(const Effort&)> answer) {
  Task task{.has_left = std::move(has_left), .answer = std::move(answer)};
  {
    const cache::MutexLock lock(mutex_);
    if (idle_ <= tasks_.size() && threads_.size() < kMostThreads && !is_closed_) {
      try {
        threads_.push_back(start_thread("slow answers", [this] { work(); }));
      } catch (const std::system_error&) {
        // Those that are there will come to it.
      }
    }
    if (!threads_.empty()) {
      tasks_.push_back(std::move(task));
      something_to_do_.notify_one();
      return;
    }
  }
  run(task);
}

void SlowLane::work() {
  for (;;) {
    Task task;
    {
      const cache::MutexLock lock(mutex_);
      ++idle_;
      while (tasks_.empty() && !is_closed_) something_to_do_.wait(mutex_);
      --idle_;
      // What waits when it is over gets its answer all the same, which is that it is over.
      if (tasks_.empty()) return;
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    run(task);
  }
}

}  // namespace scidfs::fs
