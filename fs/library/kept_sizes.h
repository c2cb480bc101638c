// Sizes of games, and checksums of game files, kept from one mount to the next.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "cache/mutex.h"
#include "codec/pgn.h"
#include "fs/database/database.h"

namespace scidfs::fs {

// A file for each large database in the cache folder. Problems are warnings in the log: sizes are
// then found out again at the next mount. Thread-safe.
class KeptSizes {
 public:
  // `folder`: empty: nothing is kept.
  KeptSizes(std::filesystem::path folder, const codec::PgnOptions& pgn)
      : folder_(std::move(folder)), pgn_(pgn) {}

  // Gives a database that is not shared yet what is kept of it.
  void load(Database& database) ABSL_LOCKS_EXCLUDED(mutex_);
  // Keeps what is known of a database, if that is all and has not been kept yet.
  void keep(const Database& database) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  std::filesystem::path path_of(const Database& database) const;

  const std::filesystem::path folder_;
  const codec::PgnOptions pgn_;
  cache::Mutex mutex_;
  // The fingerprints of the versions whose sizes are kept, by index file.
  std::map<std::string, std::uint64_t> kept_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
