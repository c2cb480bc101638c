// Handles signals that end a program while it writes files: no half-written file stays, and the
// program that waits for this one sees that a signal has ended it.
#pragma once

#include <csignal>

namespace scidfs::fs {

// The signals by which users and other programs end a process, blocked until watch() on the thread
// that creates this and on all that it starts afterwards. Signals that the process inherited as
// ignored (nohup) stay ignored. SIGPIPE is ignored: the files being written matter more than
// messages that no program reads.
class EndingSignals {
 public:
  // REQUIRES: no other thread is running.
  EndingSignals();
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

  // Starts a thread that waits for the first signal, removes unfinished files
  // (fs/file/unfinished.h) and ends the process by the same signal; a second signal ends it at
  // once. Call it when the sandbox is locked, so that the thread is in it. Throws std::system_error
  // if the system has no more threads.
  void watch() const;

 private:
  sigset_t signals_{};
};

}  // namespace scidfs::fs
