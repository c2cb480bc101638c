// Replaced versions, kept for their readers.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fs/library/mounted_version.h"

namespace scidfs::fs {

// Replaced versions, each kept until it has been unused for ten minutes. If all together exceed a
// budget, the least recently used ones go earlier. Copies share the times of last use.
class RetiredVersions {
 public:
  struct Budget {
    std::uint64_t bytes = 0;   // of memory, including unpacked archives
    std::size_t versions = 0;  // each holds files open
    std::chrono::seconds grace{600};
  };
  // Returns a quarter of the memory that this process may use, at most 1 GiB, and a quarter of the
  // files that it may have open, at two files for each version, but at least 16 versions.
  static Budget default_budget();

  void add(MountedVersionPtr replaced);
  // Drops the versions that `is_shown` accepts, since they are shown again.
  template <class IsShown>
  void remove_if(const IsShown& is_shown) {
    absl::erase_if(versions_, [&](const auto& entry) { return is_shown(*entry.second->shown); });
  }

  // Returns null if there is none. Counts as use of it.
  MountedVersionPtr find(const VersionKey& key) const;
  bool contains(const VersionKey& key) const { return versions_.contains(key); }
  std::size_t size() const { return versions_.size(); }
  std::uint64_t memory() const;

  // Evicts versions that have been unused for the grace period, and those beyond the budget.
  // Returns whether there were any.
  bool let_go(Budget budget);

  // Versions evicted before the grace period ended, for status.txt.
  struct Early {
    std::uint64_t count = 0;
    std::string last;       // its path
    std::int64_t when = 0;  // in seconds since 1970
  };
  const Early& early() const { return early_; }

 private:
  struct Retired {
    explicit Retired(MountedVersionPtr replaced);

    const MountedVersionPtr shown;
    const std::uint64_t memory;
    std::atomic<std::int64_t> last_used;  // seconds of the steady clock
  };

  absl::flat_hash_map<VersionKey, std::shared_ptr<Retired>> versions_;
  Early early_;
};

}  // namespace scidfs::fs
