#include "fs/file/cache_remarks.h"

#include <algorithm>

#include "cache/mutex.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kMostRemarks = 20;

struct Remarks {
  cache::Mutex mutex;
  std::vector<std::string> all ABSL_GUARDED_BY(mutex);
};

Remarks& remarks() {
  static Remarks kept;
  return kept;
}

}  // namespace

void add_cache_remark(const std::string& remark) {
  Remarks& kept = remarks();
  const cache::MutexLock lock(kept.mutex);
  if (std::ranges::find(kept.all, remark) != kept.all.end()) return;
  if (kept.all.size() == kMostRemarks) kept.all.erase(kept.all.begin());
  kept.all.push_back(remark);
}

std::vector<std::string> cache_remarks() {
  Remarks& kept = remarks();
  const cache::MutexLock lock(kept.mutex);
  return kept.all;
}

}  // namespace scidfs::fs
