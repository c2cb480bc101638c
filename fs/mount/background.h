// Going into the background, the other way round: the process splits before anything else, so that
// no thread is lost, and the part that the shell waits for ends last. Until the mount is ready the
// daemon has the terminal for its messages and dies with whoever started it.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/types.h>

namespace scidfs::fs {

class Background {
 public:
  // Returns in the child only. The parent exits with code 0 when the child says ready(), and with
  // the child's code if it ends before. REQUIRES: no other thread is running.
  static absl::StatusOr<Background> enter();

  Background(Background&& other) noexcept;
  Background& operator=(Background&&) = delete;
  ~Background();

  // Has the daemon end with its parent, by SIGTERM. So it is from enter() on; to be said again
  // after a change of user, which makes the kernel forget it.
  void end_with_parent() const;
  // The daemon no longer ends with its parent. On the thread that called enter(), as the kernel
  // keeps that wish for each thread alone.
  void outlive_parent();

  // Leaves the terminal: a session of its own, "/" as working folder, messages to syslog; then lets
  // the parent go. Once, after outlive_parent(), from any thread.
  void ready();

 private:
  Background(int pipe, pid_t parent) : pipe_(pipe), parent_(parent) {}

  int pipe_;  // the parent reads the other end
  const pid_t parent_;
};

}  // namespace scidfs::fs
