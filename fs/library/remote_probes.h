// Probes remote files and folders, which may take long or never end.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "cache/mutex.h"

namespace scidfs::fs {

// The running probes, each on a thread of its own. The caller waits for a probe only briefly: a
// server that hangs does not delay the probes of others. For one calling thread.
class RemoteProbes {
 public:
  // How long a caller waits for a probe, once.
  static constexpr std::chrono::milliseconds kPatience{500};

  // Any thread calls `late` when a probe ends after its caller has given up waiting.
  explicit RemoteProbes(std::function<void()> late) : late_(std::move(late)) {}
  // Waits for all probes, as long as they take.
  ~RemoteProbes();
  RemoteProbes(const RemoteProbes&) = delete;
  RemoteProbes& operator=(const RemoteProbes&) = delete;

  // Returns whether the probe with this name has ended. Starts `look` if none is running. Does not
  // wait again for a probe that an earlier call gave up on. After true, the next call starts a new
  // probe. Runs `look` on the calling thread if no other can be started. `look` may run until this
  // object is destroyed.
  bool finish(const std::string& name, const std::function<void()>& look)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Forgets a probe that no caller will ask for again. Returns false if it is still running.
  bool forget(const std::string& name) ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns whether any probe is running that its caller has given up waiting for.
  bool any() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Look {
    std::thread thread;
    bool is_done = false;
    bool is_late = false;
  };

  void run(const std::string& name, const std::function<void()>& look) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::function<void()> late_;
  mutable cache::Mutex mutex_;
  cache::CondVar done_;
  std::map<std::string, Look> looks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
