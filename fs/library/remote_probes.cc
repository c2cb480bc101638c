#include "fs/library/remote_probes.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "fs/base/log.h"
#include "fs/base/thread.h"

namespace scidfs::fs {

RemoteProbes::~RemoteProbes() {
  std::map<std::string, Look> looks;
  {
    const cache::MutexLock lock(mutex_);
    while (true) {
      bool all_done = true;
      for (const auto& [name, look] : looks_) all_done = all_done && look.is_done;
      if (all_done) break;
      done_.wait(mutex_);
    }
    looks.swap(looks_);
  }
  for (auto& [name, look] : looks) look.thread.join();
}

void RemoteProbes::run(const std::string& name, const std::function<void()>& look) {
  try {
    look();
  } catch (const std::exception& error) {
    log_error(fmt::format("Cannot examine {}: {}", name, error.what()));
  }
  bool is_late = false;
  {
    const cache::MutexLock lock(mutex_);
    Look& own = looks_.at(name);
    own.is_done = true;
    is_late = own.is_late;
    // Under the lock, before the destructor can continue.
    done_.notify_all();
    if (!is_late) return;
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
        own.thread = start_thread("far look", [this, name, look] { run(name, look); });
      } catch (const std::system_error&) {
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

bool RemoteProbes::any() const {
  const cache::MutexLock lock(mutex_);
  return std::ranges::any_of(looks_, [](const auto& look) { return !look.second.is_done; });
}

}  // namespace scidfs::fs
