// The sizes of the tables and pages in the directory of a database, saved from one mount to the
// next, so that `ls -l` there makes none of them.
//
// The words of the file (fs/file/cache_file.h), for each number that a set gives to its entries
// (numbers.h): the lower and the upper half of the size of that file; 0 and 0: not known. Its key
// has all that the texts depend on: the version of the database, the options, and the program.
#pragma once

#include <absl/status/status.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cache/mutex.h"
#include "fs/database/database.h"
#include "fs/file/cache_file.h"
#include "fs/views/numbers.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Those of one version of a database. Thread-safe.
class ListedSizes {
 public:
  // Returns null for a database that has too few games to need them, or no folder to save them in.
  // `is_in_folder`: as in Version.
  static std::shared_ptr<const ListedSizes> of(const Database& database, bool is_in_folder);

  // Returns the saved size of a file; nothing if there is none. The first call reads them all.
  std::optional<std::uint64_t> find(SetEntry entry) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns DataLoss if find() has promised another size than a file turns out to have, and
  // forgets that one, in the folder, too.
  absl::Status check(SetEntry entry, std::uint64_t size) const ABSL_LOCKS_EXCLUDED(mutex_);
  // Saves sizes beside those that are saved already.
  void add(const std::vector<std::pair<SetEntry, std::uint64_t>>& sizes) const
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  explicit ListedSizes(CacheFile file) : file_(std::move(file)) {}

  void load() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void save() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const CacheFile file_;
  mutable cache::Mutex mutex_;
  mutable std::vector<std::uint32_t> words_ ABSL_GUARDED_BY(mutex_);  // empty: not loaded yet
};

// Makes the tables of a database that has listed sizes, as far as they are not known, and saves
// their sizes. Takes some seconds for millions of games. A failure is left to the request that
// meets it. REQUIRES: one database.
void save_listed_sizes(const Version& version, std::function<bool()> is_cancelled);

}  // namespace scidfs::fs
