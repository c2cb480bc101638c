#include "fs/library/kept_sizes.h"

#include <fmt/format.h>

#include "cache/hash.h"
#include "fs/base/log.h"
#include "fs/file/fingerprint.h"
#include "fs/file/kept_sizes_file.h"

namespace scidfs::fs {
namespace {

// For fewer games, computing the sizes takes less time than opening a file.
constexpr GameIndex kWorthKeeping = 1000;

}  // namespace

std::filesystem::path KeptSizes::path_of(const Database& database) const {
  const std::string identity =
      fmt::format("{}\n{}", database.index_path().string(), fingerprint_of(database.options().pgn));
  return folder_ / fmt::format("{:016x}{}", cache::fingerprint(identity), kSizesExtension);
}

void KeptSizes::load(Database& database) {
  if (folder_.empty() || database.games() < kWorthKeeping) return;
  absl::StatusOr<std::vector<std::uint32_t>> sizes =
      load_sizes(path_of(database), database.fingerprint(), database.kept_count());
  if (sizes.ok()) {
    const cache::MutexLock lock(mutex_);
    kept_[database.index_path().string()] = database.fingerprint();
    database.adopt_kept(*std::move(sizes));
  } else if (absl::IsDataLoss(sizes.status())) {
    log_warning(std::string(sizes.status().message()));
  }
}

void KeptSizes::keep(const Database& database) {
  if (folder_.empty() || database.games() < kWorthKeeping || !database.sizes().complete()) return;
  const cache::MutexLock lock(mutex_);
  std::uint64_t& kept = kept_[database.index_path().string()];
  if (kept == database.fingerprint()) return;
  kept = database.fingerprint();
  const absl::Status status =
      save_sizes(path_of(database), database.fingerprint(), database.copy_kept());
  if (!status.ok()) {
    log_warning(
        fmt::format("{}; sizes will be computed again next time", std::string(status.message())));
  }
}

}  // namespace scidfs::fs
