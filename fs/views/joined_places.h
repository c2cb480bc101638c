// Where the directories of together/ are in each database.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cache/lru_map.h"
#include "cache/mutex.h"
#include "fs/base/inode.h"

namespace scidfs::fs {

// By database: mostly one directory; none if it has none there; several if names of the database
// differ only in what no user sees.
using JoinedPlaces = std::vector<std::vector<LocalId>>;
using JoinedPlacesPtr = std::shared_ptr<const JoinedPlaces>;

// The places of the paths that were used last, so that a request need not follow a path again. Of
// one version; thread-safe.
class KnownPlaces {
 public:
  // Returns null if the path is not known, or no longer.
  JoinedPlacesPtr find(std::string_view path) ABSL_LOCKS_EXCLUDED(mutex_);
  void keep(std::string_view path, JoinedPlacesPtr places) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  static constexpr std::size_t kBytes = std::size_t{4} << 20;  // of memory

  cache::Mutex mutex_;
  cache::LruMap<std::string, JoinedPlacesPtr> places_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace scidfs::fs
