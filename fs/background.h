// Going into the background, the other way round: the process splits before anything else, so that
// no thread is lost, and the part that the shell waits for ends last. Until the mount is ready the
// daemon has the terminal for its messages and dies with whoever started it.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

namespace scidfs::fs {

class Background {
 public:
  // Returns in the child only. The parent exits with code 0 when the child says ready(), and with
  // the child's code if it ends before. REQUIRES: no other thread is running.
  static absl::StatusOr<Background> enter();

  Background(Background&& other) noexcept;
  Background& operator=(Background&&) = delete;
  ~Background();

  // The daemon no longer ends with its parent. On the thread that called enter(), as the kernel
  // keeps that wish for each thread alone.
  void outlive_parent();

  // Leaves the terminal: a session of its own, "/" as working folder, messages to syslog; then lets
  // the parent go. Once, after outlive_parent(), from any thread.
  void ready();

 private:
  explicit Background(int pipe) : pipe_(pipe) {}

  int pipe_;  // the parent reads the other end
};

}  // namespace scidfs::fs
