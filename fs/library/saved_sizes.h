// Saves the sizes of texts, checksums of game files, and FIDE ids in tags, from one mount to the
// next.
//
// The words of a database's file (fs/file/cache_file.h), for N games, C checksums and I games with
// ids:
//
//  word           bits   field
//  0 .. N-1       31..0  what GameSizes has of each game, with its flags
//  N + 2c         31..0  the low half of checksum c, 0 <= c < C: GameFile::copy_sums()
//  N + 2c + 1     31..0  its high half
//  N + 2C + 3i    31..0  of the i-th game that has an id, 0 <= i < I, by ascending number: its
//  number
//  ... + 1, + 2   31..0  the FIDE ids of White and Black (game_ids.h); 0: none
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "cache/mutex.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// The saved sizes: a file for each large database in the cache folder. Problems are warnings in the
// log; the next mount then computes the sizes again. Thread-safe.
class SavedSizes {
 public:
  // `folder`: empty: nothing is saved.
  explicit SavedSizes(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Loads the saved sizes into a database that is not shared yet.
  void load(Database& database) ABSL_LOCKS_EXCLUDED(mutex_);
  // Saves the sizes of a database if all are known and not saved yet.
  void save(const Database& database) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  const std::filesystem::path folder_;
  cache::Mutex mutex_;
  // Fingerprints of the versions whose sizes are saved, by index file.
  std::map<std::string, std::uint64_t> saved_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
