// Starts the daemon in the background. The process forks before anything else, so that no thread is
// lost; the exit of the parent, which the shell waits for, comes last. Until the mount is ready the
// daemon writes its messages to the terminal and ends with its parent.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/types.h>

namespace scidfs::fs {

class Background {
 public:
  // Returns only in the child. The parent exits with code 0 when the child calls ready(), and with
  // the child's code if the child ends before. REQUIRES: no other thread is running.
  static absl::StatusOr<Background> enter();

  Background(Background&& other) noexcept;
  Background& operator=(Background&&) = delete;
  ~Background();

  // Makes SIGTERM end the daemon when its parent ends. enter() does so; call it again after a
  // change of user, which resets this setting in the kernel.
  void end_with_parent() const;
  // Stops the daemon from ending with its parent. REQUIRES: the thread that called enter(), since
  // the kernel keeps this setting for each thread.
  void outlive_parent();

  // Leaves the terminal (a session of its own, "/" as working folder, messages to syslog), then
  // lets the parent exit. REQUIRES: called once, after outlive_parent(); any thread.
  void ready();

 private:
  Background(int pipe, pid_t parent) : pipe_(pipe), parent_(parent) {}

  int pipe_;  // the parent reads the other end
  const pid_t parent_;
};

}  // namespace scidfs::fs
