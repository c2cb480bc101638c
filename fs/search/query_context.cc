#include "fs/search/query_context.h"

#include <algorithm>

namespace scidfs::fs {

void RejectedNames::note(Kind kind, std::string_view name, std::string_view reason) {
  const cache::MutexLock lock(mutex_);
  // Programs look up a missing name several times.
  const std::size_t count = std::min(next_, kKept);
  for (std::size_t i = 0; i < count; ++i) {
    if (kept_[i].name == name && kept_[i].reason == reason) return;
  }
  kept_[next_++ % kKept] = {.kind = kind, .name = std::string(name), .reason = std::string(reason)};
}

std::vector<RejectedNames::RejectedName> RejectedNames::all() const {
  const cache::MutexLock lock(mutex_);
  std::vector<RejectedName> all;
  for (std::size_t i = next_ - std::min(next_, kKept); i < next_; ++i) {
    all.push_back(kept_[i % kKept]);
  }
  return all;
}

}  // namespace scidfs::fs
