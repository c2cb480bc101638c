// Named threads that no exception escapes.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace scidfs::fs {

// Starts a thread that runs `work`. An exception from `work` (mostly a lack of memory) ends the
// thread with a line in the log, not the process: a thread that waits for its result must not
// depend on it. The thread gets no signals: other threads wait for those. Debuggers show `name`,
// which has at most 15 bytes. Throws std::system_error if the system has no more threads.
std::thread start_thread(std::string name, std::function<void()> work);

// Lets other threads go first when processors are scarce: for the calling thread and those that it
// starts, whose answers users expect to take long.
void let_others_go_first();
// Asks the kernel for short time slices: on a busy machine the calling thread then waits less for
// its turn (from Linux 6.12 on; older versions ignore it).
void ask_for_early_turns();

// Returns the processor time that the calling thread has used since it began.
std::chrono::nanoseconds processor_time();

}  // namespace scidfs::fs
