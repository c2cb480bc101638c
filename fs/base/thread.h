// Threads with a name and a boundary.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

namespace scidfs::fs {

// Starts a thread that runs `work`. What `work` throws (a lack of memory, mostly) ends the thread
// with a line in the log, not the process: whoever waits for what the thread makes must not depend
// on it. The thread gets no signals: those are for threads that wait for them. `name` is shown by
// debuggers; at most 15 bytes. Throws std::system_error if the system has no more threads.
std::thread start_thread(std::string name, std::function<void()> work);

// Returns the processor time that the calling thread has taken since it began.
std::chrono::nanoseconds processor_time();

}  // namespace scidfs::fs
