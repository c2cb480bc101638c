// The mount itself: owns what libfuse needs, turns the kernel's requests into calls of the tree and
// its answers into replies. Decides nothing about what there is to see.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <functional>
#include <memory>
#include <vector>

#include "fs/mount/guardian.h"
#include "fs/mount/memory_limit.h"
#include "fs/mount/options.h"
#include "fs/tree/request_counters.h"
#include "fs/tree/tree.h"

namespace scidfs::fs {

class Session {
 public:
  // Has the guardian make the mount; the kernel's requests wait until run(). What it is given
  // outlives the session. One session per process (it takes over SIGINT, SIGTERM and SIGHUP).
  static absl::StatusOr<std::unique_ptr<Session>> mount(const MountOptions& options,
                                                        Guardian& guardian, Tree& tree,
                                                        RequestCounters& counters,
                                                        MemoryLimit& memory);
  // As unmount().
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // To be called when there are new versions, or may be: the kernel looks up every name again.
  // Thread-safe; takes no time.
  void forget_names() const;
  // The kernel asks anew for what it knows of these directories, in which somebody may stand.
  // Thread-safe. It waits for no lookup.
  void forget(const std::vector<Inode>& directories) const;

  // Unmounts if that has not happened yet: the names are gone when it returns. Answers that take
  // long fail. After this the kernel is told nothing more.
  void unmount();

  // Answers requests until somebody unmounts or a signal says so. Calls `ready` once, on some
  // thread, as soon as the kernel and libfuse agree and nothing about the mount can fail any more.
  absl::Status run(std::function<void()> ready);

 private:
  class State;
  explicit Session(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace scidfs::fs
