// Saves sizes of games and checksums of game files from one mount to the next.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "cache/mutex.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// The saved sizes: a file for each large database in the cache folder. Problems are warnings in the
// log; the next mount then computes the sizes again. Thread-safe.
class KeptSizes {
 public:
  // `folder`: empty: nothing is saved.
  explicit KeptSizes(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Loads the saved sizes into a database that is not shared yet.
  void load(Database& database) ABSL_LOCKS_EXCLUDED(mutex_);
  // Saves the sizes of a database if all are known and not saved yet.
  void keep(const Database& database) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Returns the file for one database and one set of text options, so that mounts with other
  // options have files of their own.
  std::filesystem::path path_of(const Database& database) const;

  const std::filesystem::path folder_;
  cache::Mutex mutex_;
  // Fingerprints of the versions whose sizes are saved, by index file.
  std::map<std::string, std::uint64_t> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
