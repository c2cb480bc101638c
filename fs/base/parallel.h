// Work that is split among threads, which end with the work.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>

namespace scidfs::fs {

// Returns the number of threads to use for `tasks` when the caller asks for `wanted` threads (0:
// one for each processor).
unsigned thread_count(unsigned wanted, std::size_t tasks);

// Calls run(task) for each of 0 .. tasks-1, on `threads` threads including the calling one, or on
// fewer where the system has no more. Tasks begin in order. Returns when all tasks are done. If
// `run` throws, rethrows the first exception when all threads are done; some tasks may not have run
// then.
void run_parallel(std::size_t tasks, unsigned threads, absl::FunctionRef<void(std::size_t)> run);

}  // namespace scidfs::fs
