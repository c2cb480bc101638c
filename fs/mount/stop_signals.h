// SIGINT, SIGTERM and SIGHUP end the mount, whichever thread receives them and whenever they come.
//
// libfuse's own handlers run on any thread, but its loop wakes up only if the signal interrupts its
// wait: a signal that comes a moment too early, or to another thread, is lost. So the signals are
// blocked on all threads, and a thread of their own waits for them.
#pragma once

#include <functional>
#include <thread>

namespace scidfs::fs {

// Blocks the signals on the calling thread and on all threads that it starts afterwards; they stay
// blocked.
void block_stop_signals();

// While this object lives, a stop signal (also one that came after block_stop_signals()) calls
// `stop` once. Then it interrupts each wait of the thread that made the object, repeatedly, until
// the object is destroyed. REQUIRES: block_stop_signals(); made and destroyed on one thread.
class StopSignals {
 public:
  explicit StopSignals(std::function<void()> stop);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  std::thread watcher_;
};

}  // namespace scidfs::fs
