// Makes in the background what spares the next mount, and the next request, work.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cache/mutex.h"
#include "fs/library/mounted_version.h"

namespace scidfs::fs {

// Saves the index files of databases whose sizes are all known (fs/database/stored_index.h) and the
// sizes of their tables (fs/views/listed_sizes.h), makes or finds their positions files
// (fs/positions/save_positions.h), one database after the other, and makes the lists that most
// users need first where a mount has found an index file (GameLists::warm_up()). A thread for local
// databases does so, which lets all others go first, and another one for remote databases, whose
// server may hang. Thread-safe.
class IndexKeeper {
 public:
  // `is_stopped` ends the work early; any thread calls it.
  explicit IndexKeeper(std::function<bool()> is_stopped) : is_stopped_(std::move(is_stopped)) {}
  // Waits for the threads.
  ~IndexKeeper();
  IndexKeeper(const IndexKeeper&) = delete;
  IndexKeeper& operator=(const IndexKeeper&) = delete;

  // Does this for the databases among these, once for each version. Leaves those for a later call
  // whose sizes are not known, or whose files have changed a moment ago.
  void keep(const std::vector<MountedVersionPtr>& shown) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Lane {
    std::deque<MountedVersionPtr> queue;
    bool is_at_work = false;
    std::thread thread;
  };

  void start(Lane& lane) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  MountedVersionPtr next(Lane& lane) ABSL_LOCKS_EXCLUDED(mutex_);
  void work(Lane& lane) ABSL_LOCKS_EXCLUDED(mutex_);

  const std::function<bool()> is_stopped_;
  cache::Mutex mutex_;
  // Fingerprints of the versions that are done or in a queue, by index file.
  std::map<std::string, std::uint64_t> taken_ ABSL_GUARDED_BY(mutex_);
  std::array<Lane, 2> lanes_ ABSL_GUARDED_BY(mutex_);  // of local databases, and of remote ones
};

}  // namespace scidfs::fs
