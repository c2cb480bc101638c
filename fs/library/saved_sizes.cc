#include "fs/library/saved_sizes.h"

namespace scidfs::fs {
namespace {

// For fewer games, computing the sizes takes less time than opening a file.
constexpr GameIndex kWorthSaving = 1000;

}  // namespace

void SavedSizes::load(Database& database) {
  if (database.games() < kWorthSaving) return;
  if (database.is_stored()) {  // with its sizes
    const cache::MutexLock lock(mutex_);
    saved_[database.index_path().string()] = database.fingerprint();
    return;
  }
  if (!database.load_kept()) return;
  const cache::MutexLock lock(mutex_);
  saved_[database.index_path().string()] = database.fingerprint();
}

void SavedSizes::save(const Database& database) {
  if (folder_.empty() || database.games() < kWorthSaving || !database.sizes().complete()) return;
  const cache::MutexLock lock(mutex_);
  std::uint64_t& saved = saved_[database.index_path().string()];
  if (saved == database.fingerprint()) return;
  saved = database.fingerprint();
  database.save_kept();
}

}  // namespace scidfs::fs
