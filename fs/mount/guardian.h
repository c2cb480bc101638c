// The process that mounts and unmounts for the daemon.
//
// A confined process may do neither. So the daemon forks the guardian before it locks the sandbox.
// The guardian reads no database and talks only to the daemon, which can ask for one thing, once:
// the mount that was chosen at the start. When the daemon ends, however it ends, the guardian
// unmounts and ends too: no dead mount stays, even after kill -9.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/types.h>

#include <filesystem>
#include <memory>

#include "fs/mount/mount_place.h"
#include "fs/options/mount_options.h"

namespace scidfs::fs {

class Guardian {
 public:
  // Forks the guardian, which alone keeps the place. REQUIRES: no other thread is running, the
  // calling thread lives as long as the daemon, the process has the privileges that mounting needs,
  // and the place has the folder that is to be covered.
  static absl::StatusOr<std::unique_ptr<Guardian>> start(const MountOptions& options,
                                                         MountPlace place);
  // Calls unmount().
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  // Mounts. Returns the connection to the kernel, which the caller must close. Errors quote the
  // reason of the kernel or of fusermount3. REQUIRES: called once.
  absl::StatusOr<int> mount();

  // Makes the guardian end, and waits for it. Afterwards the mount is gone; if not, logs a warning.
  // A mount that another program has made there meanwhile stays.
  void unmount();

 private:
  Guardian(int socket, pid_t process, std::filesystem::path mountpoint);

  int socket_;  // the guardian ends when it is closed
  pid_t process_;
  const std::filesystem::path mountpoint_;
};

}  // namespace scidfs::fs
