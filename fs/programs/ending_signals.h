// Signals that end a program while it writes files: nothing half-written stays, and whoever waits
// for the program sees that a signal has ended it.
#pragma once

#include <csignal>

namespace scidfs::fs {

// SIGINT, SIGTERM, SIGHUP and SIGXCPU, blocked on the thread that makes this and on all that it
// starts from then on, until watch(). Those that the caller's caller has ignored (nohup) stay so.
// SIGPIPE is ignored: what is being written is worth more than messages that nobody reads.
class EndingSignals {
 public:
  // REQUIRES: there is one thread.
  EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

  // Starts a thread that waits for the first of them, removes what is unfinished
  // (fs/file/unfinished.h) and ends the process by the same signal; a second one does so at once.
  // To be called when the sandbox is locked, for the thread to be in it. Throws std::system_error
  // if the system has no more threads.
  void watch() const;

 private:
  sigset_t signals_{};
};

}  // namespace scidfs::fs
