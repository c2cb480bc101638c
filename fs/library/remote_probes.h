// Looks at what is far, which may take long or never end.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <thread>

#include "cache/mutex.h"

namespace scidfs::fs {

// Each look has a thread of its own, and whoever wants it waits for a moment only: a server that
// hangs keeps nobody from looking at others. For one thread that asks.
class RemoteProbes {
 public:
  // How long a look is waited for, once.
  static constexpr std::chrono::milliseconds kPatience{500};

  // `late` is called, by any thread, when a look has ended that was not waited for any more.
  explicit RemoteProbes(std::function<void()> late) : late_(std::move(late)) {}
  // Waits for all looks: as long as they take.
  ~RemoteProbes();
  RemoteProbes(const RemoteProbes&) = delete;
  RemoteProbes& operator=(const RemoteProbes&) = delete;

  // Whether a look with this name has ended: the one that is going on, or else `look`, which is
  // begun. What has been going on since an earlier call is not waited for. After true the next call
  // begins another one. On the calling thread if there can be no other. `look` outlives nothing but
  // this object.
  bool finish(const std::string& name, const std::function<void()>& look)
      ABSL_LOCKS_EXCLUDED(mutex_);
  // Lets go of a look that nobody will ask for again. False if it is still going on.
  bool forget(const std::string& name) ABSL_LOCKS_EXCLUDED(mutex_);
  // Whether any look is going on that somebody has given up waiting for.
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
