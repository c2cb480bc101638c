// Work that is split among threads which end with it.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>

namespace scidfs::fs {

// How many threads to use where somebody wants `wanted` (0: one for each processor) for `tasks`.
unsigned thread_count(unsigned wanted, std::size_t tasks);

// Calls run(task) for each of 0 .. tasks-1, on `threads` threads, the calling one among them, or on
// fewer where the system has no more. Tasks are begun in order. Returns when all are done. What
// `run` throws is thrown here, the first of it, when all threads are done; then tasks may have been
// left out.
void run_parallel(std::size_t tasks, unsigned threads, absl::FunctionRef<void(std::size_t)> run);

}  // namespace scidfs::fs
