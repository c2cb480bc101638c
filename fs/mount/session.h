// The FUSE session: owns libfuse's objects, turns the kernel's requests into calls of the tree and
// its answers into replies. The tree decides what there is to see.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <functional>
#include <memory>
#include <vector>

#include "fs/mount/guardian.h"
#include "fs/mount/memory_limit.h"
#include "fs/mount/request_counters.h"
#include "fs/options/mount_options.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

class Session {
 public:
  // Makes the guardian mount; the kernel's requests wait until run(). All references must outlive
  // the session. One session per process (it takes over SIGINT, SIGTERM and SIGHUP).
  static absl::StatusOr<std::unique_ptr<Session>> mount(const MountOptions& options,
                                                        Guardian& guardian, Tree& tree,
                                                        RequestCounters& counters,
                                                        MemoryLimit& memory);
  // Calls unmount().
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Makes the kernel look up every name again. Called when there are, or may be, new versions.
  // Thread-safe; does not block.
  void forget_names() const;
  // Makes the kernel drop what it knows of these directories, which may be working folders of
  // processes. Thread-safe. Does not wait for lookups.
  void forget(const std::vector<Inode>& directories) const;

  // Unmounts if the mount still exists: the names are gone when it returns. Answers that take long
  // fail. Sends the kernel nothing afterwards.
  void unmount();

  // Answers requests until the file system is unmounted or a signal arrives. Calls `ready` once, on
  // some thread, as soon as the kernel and libfuse have agreed and the mount cannot fail any more.
  absl::Status run(std::function<void()> ready);

 private:
  class State;
  explicit Session(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace scidfs::fs
