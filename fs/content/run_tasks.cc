#include "fs/content/run_tasks.h"

#include <atomic>
#include <utility>

#include "cache/mutex.h"
#include "fs/base/parallel.h"

namespace scidfs::fs {

absl::Status run_tasks(std::size_t count, std::size_t workers, const WorkBudget& budget,
                       absl::FunctionRef<absl::Status(std::size_t, std::size_t)> run) {
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> has_failed = false;
  cache::Mutex mutex;
  absl::Status failure;
  const auto fail = [&](absl::Status status) {
    const cache::MutexLock lock(mutex);
    if (failure.ok()) failure = std::move(status);
    has_failed = true;
  };
  run_parallel(workers, static_cast<unsigned>(workers), [&](std::size_t worker) {
    for (std::size_t task = next++; task < count && !has_failed; task = next++) {
      absl::Status status = budget.is_cancelled() ? WorkBudget::cancelled() : run(worker, task);
      if (!status.ok()) fail(std::move(status));
    }
  });
  return failure;
}

}  // namespace scidfs::fs
