// Sizes of games, and checksums of game files, kept from one mount to the next.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "cache/mutex.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// A file for each large database in the cache folder. Problems are warnings in the log: sizes are
// then found out again at the next mount. Thread-safe.
class KeptSizes {
 public:
  // `folder`: empty: nothing is kept.
  explicit KeptSizes(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Gives a database that is not shared yet what is kept of it.
  void load(Database& database) ABSL_LOCKS_EXCLUDED(mutex_);
  // Keeps what is known of a database, if that is all and has not been kept yet.
  void keep(const Database& database) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // One for each text that the games may have, so that mounts with other options keep their own.
  std::filesystem::path path_of(const Database& database) const;

  const std::filesystem::path folder_;
  cache::Mutex mutex_;
  // The fingerprints of the versions whose sizes are kept, by index file.
  std::map<std::string, std::uint64_t> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
