#include "fs/library/remote_probes.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "fs/base/log.h"
#include "fs/base/thread.h"

namespace scidfs::fs {

// The threads only read the map, and no other call can change it any more.
RemoteProbes::~RemoteProbes() {
  for (auto& [name, look] : looks_) look.thread.join();
}

void RemoteProbes::run(const std::string& name, const std::function<void()>& look) {
  try {
    look();
  } catch (const std::exception& error) {
    log_error(fmt::format("Cannot examine {}: {}", name, error.what()));
  }
  {
    const cache::MutexLock lock(mutex_);
    Look& own = looks_.at(name);
    own.is_done = true;
    done_.notify_all();
    if (!own.is_late) return;
  }
  late_();
}

bool RemoteProbes::finish(const std::string& name, const std::function<void()>& look) {
  std::thread ended;
  {
    const cache::MutexLock lock(mutex_);
    const auto [found, is_new] = looks_.try_emplace(name);
    Look& own = found->second;
    if (is_new) {
      try {
        own.thread = start_thread("remote look", [this, name, look] { run(name, look); });
      } catch (const std::exception&) {
        looks_.erase(found);
      }
    }
    if (looks_.contains(name)) {
      const auto end = std::chrono::steady_clock::now() + kPatience;
      while (!own.is_done && !own.is_late && std::chrono::steady_clock::now() < end) {
        done_.wait_for(mutex_, kPatience);
      }
      if (!own.is_done) {
        if (!own.is_late) log_warning(fmt::format("{} does not answer", name));
        own.is_late = true;
        return false;
      }
      ended = std::move(own.thread);
      looks_.erase(found);
    }
  }
  if (ended.joinable()) {
    ended.join();
  } else {
    look();
  }
  return true;
}

bool RemoteProbes::forget(const std::string& name) {
  std::thread ended;
  {
    const cache::MutexLock lock(mutex_);
    const auto found = looks_.find(name);
    if (found == looks_.end()) return true;
    if (!found->second.is_done) return false;
    ended = std::move(found->second.thread);
    looks_.erase(found);
  }
  ended.join();
  return true;
}

}  // namespace scidfs::fs
