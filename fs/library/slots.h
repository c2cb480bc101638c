// Assigns slots of inode numbers to paths.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include "cache/mutex.h"
#include "fs/file/fingerprint.h"

namespace scidfs::fs {

// The numbers of one path; they are its own for the whole mount.
struct InodeAllocation {
  std::uint16_t slot = 0;       // for its directories
  std::uint16_t file_slot = 0;  // for its files now
  std::vector<UsedEpoch> used;  // by the versions in file_slot
};

// The slots of all paths. A slot comes from the hash of its path, so it is mostly the same after a
// remount, even if other files were added. It never goes to another path: inode numbers would be
// ambiguous. Thread-safe.
class Slots {
 public:
  // Ensures that a path has a slot with an unused epoch. `path` is relative to the source. Returns
  // OutOfRange if all slots are taken.
  absl::Status provide(std::string_view path, InodeAllocation& numbers) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  absl::Status take(std::string_view path, std::uint16_t& slot) ABSL_LOCKS_EXCLUDED(mutex_);

  cache::Mutex mutex_;
  std::set<std::uint16_t> taken_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
