#include "fs/library/saved_sizes.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "fs/file/cache_file.h"

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
  std::optional<std::vector<std::uint32_t>> words =
      database.kept_file().load(database.kept_count());
  if (!words.has_value()) return;
  const cache::MutexLock lock(mutex_);
  saved_[database.index_path().string()] = database.fingerprint();
  database.adopt_kept(*std::move(words));
}

void SavedSizes::save(const Database& database) {
  if (folder_.empty() || database.games() < kWorthSaving || !database.sizes().complete()) return;
  const cache::MutexLock lock(mutex_);
  std::uint64_t& saved = saved_[database.index_path().string()];
  if (saved == database.fingerprint()) return;
  saved = database.fingerprint();
  database.kept_file().save(database.copy_kept(), "sizes will be computed again next time");
}

}  // namespace scidfs::fs
