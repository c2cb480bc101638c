// Probes remote files and folders, which may take long or never end.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

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

 private:
  struct Look {
    std::thread thread;
    bool is_done = false;
    bool is_late = false;
  };

  void run(const std::string& name, const std::function<void()>& look) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::function<void()> late_;
  cache::Mutex mutex_;
  cache::CondVar done_;
  std::map<std::string, Look> looks_ ABSL_GUARDED_BY(mutex_);
};

// What the probes of one file or folder return: the last result, and the one that a running probe
// still makes. Only for the thread that calls RemoteProbes.
template <class T>
class RemoteResult {
 public:
  // Returns the result of the last probe that has ended.
  const T& last() const { return last_; }
  // Sets and returns the result of a look without a probe.
  const T& set(T result) { return last_ = std::move(result); }
  // Starts a probe if none is running, and waits for it as RemoteProbes::finish() does. Returns
  // whether last() is new: while the probe runs, or after it has thrown, last() stays.
  bool update(RemoteProbes& probes, const std::string& name, std::function<T()> look) {
    name_ = name;
    if (next_ == nullptr) next_ = std::make_shared<std::optional<T>>();
    const bool has_ended =
        probes.finish(name, [look = std::move(look), next = next_] { *next = look(); });
    if (!has_ended) return false;
    const std::shared_ptr<std::optional<T>> ended = std::exchange(next_, nullptr);
    if (ended->has_value()) last_ = *std::move(*ended);
    return ended->has_value();
  }
  // Forgets all results. Returns false, and forgets nothing, while a probe is running.
  bool forget(RemoteProbes& probes) {
    if (next_ != nullptr && !probes.forget(name_)) return false;
    next_ = nullptr;
    last_ = T{};
    return true;
  }

 private:
  std::string name_;  // of the probe
  T last_{};
  std::shared_ptr<std::optional<T>> next_;  // null: no probe is running or waits to be asked
};

}  // namespace scidfs::fs
