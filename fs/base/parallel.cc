#include "fs/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace scidfs::fs {

unsigned thread_count(unsigned wanted, std::size_t tasks) {
  const unsigned most = wanted != 0 ? wanted : std::max(1U, std::thread::hardware_concurrency());
  return static_cast<unsigned>(std::clamp<std::size_t>(tasks, 1, most));
}

void run_parallel(std::size_t tasks, unsigned threads, absl::FunctionRef<void(std::size_t)> run) {
  std::atomic<std::size_t> next = 0;
  std::once_flag failed;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      for (std::size_t task = next++; task < tasks; task = next++) run(task);
    } catch (...) {
      next = tasks;
      std::call_once(failed, [&] { failure = std::current_exception(); });
    }
  };
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    for (unsigned i = 1; i < threads; ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // Continues with fewer threads.
  }
  work();
  for (std::thread& thread : others) thread.join();
  if (failure != nullptr) std::rethrow_exception(failure);
}

}  // namespace scidfs::fs
