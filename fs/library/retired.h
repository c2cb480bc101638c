// Versions that have been replaced, for those who still read in them.
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

// Each version is kept until nobody has used it for ten minutes. Only where all together cost more
// than a budget, those that have not been used for longest go earlier. A copy shares the notes of
// last use.
class RetiredVersions {
 public:
  struct Budget {
    std::uint64_t bytes = 0;   // of memory, unpacked archives included
    std::size_t versions = 0;  // each has open files
    std::chrono::seconds grace{600};
  };
  // A quarter of the memory that this process may use, at most 1 GiB; a quarter of the files that
  // it may have open, for two files a version.
  static Budget default_budget();

  void add(MountedVersionPtr replaced);
  // Lets go of what `is_shown` (again).
  template <class IsShown>
  void remove_if(const IsShown& is_shown) {
    absl::erase_if(versions_, [&](const auto& entry) { return is_shown(*entry.second->shown); });
  }

  // Null if there is none. Counts as use of it.
  MountedVersionPtr find(const VersionKey& key) const;
  bool contains(const VersionKey& key) const { return versions_.contains(key); }
  std::size_t size() const { return versions_.size(); }
  std::uint64_t memory() const;

  // Lets go of what has not been used for the grace period, and of what is too much. Whether there
  // was any.
  bool let_go(Budget budget);

  // What had to go before its time, for status.txt.
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
