// The process beside the daemon that mounts and unmounts.
//
// A confined process may do neither. So the guardian is split off before the door is locked; it
// reads no database and talks to nobody but the daemon, which has one thing to ask of it, once: the
// mount that was decided on at the start. When the daemon ends, in whatever way, it unmounts, and
// ends too: no dead mount stays, also after kill -9.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/types.h>

#include <memory>

#include "fs/mount/options.h"

namespace scidfs::fs {

class Guardian {
 public:
  // REQUIRES: no other thread is running, and this one does not end before the daemon; the process
  // has the privileges that mounting needs.
  static absl::StatusOr<std::unique_ptr<Guardian>> start(const MountOptions& options);
  // As unmount().
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  // Makes the mount. Returns the connection to the kernel, which is the caller's to close. Errors
  // say what the kernel or fusermount3 does not like. Once.
  absl::StatusOr<int> mount();

  // Lets the guardian end, and waits for it. The mount is gone then, if it was not gone before; a
  // warning in the log if not. A mount that somebody else has made there meanwhile stays.
  void unmount();

 private:
  Guardian(int socket, pid_t process, std::filesystem::path mountpoint);

  int socket_;  // the guardian takes its closing for the end of the daemon
  pid_t process_;
  const std::filesystem::path mountpoint_;
};

}  // namespace scidfs::fs
