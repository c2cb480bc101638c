#include "fs/library/saved_sizes.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "fs/file/fingerprint.h"

namespace scidfs::fs {
namespace {

// For fewer games, computing the sizes takes less time than opening a file.
constexpr GameIndex kWorthSaving = 1000;

}  // namespace

CacheFile SavedSizes::file_of(const Database& database) const {
  return {
      folder_,
      fmt::format("{}\n{}", database.index_path().string(), fingerprint_of(database.options().pgn)),
      database.fingerprint()};
}

void SavedSizes::load(Database& database) {
  if (database.games() < kWorthSaving) return;
  std::optional<std::vector<std::uint32_t>> words = file_of(database).load(database.kept_count());
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
  file_of(database).save(database.copy_kept(), "sizes will be computed again next time");
}

}  // namespace scidfs::fs
