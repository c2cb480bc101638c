// The contents of virtual files that took work to open: lists of games with their sizes added up,
// tables, crosstables.
#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <list>
#include <memory>

#include "cache/mutex.h"
#include "fs/base/inode.h"
#include "fs/content/content.h"
#include "fs/content/effort.h"
#include "fs/content/made.h"
#include "fs/content/snapshot.h"

namespace scidfs::fs {

using ContentPtr = std::shared_ptr<const Content>;

// An LRU with a budget in bytes of memory. What is in use stays alive, in the cache or not.
// Thread-safe; a content is opened by one thread while others that want the same one wait.
class ContentCache {
 public:
  explicit ContentCache(std::size_t capacity) : capacity_(capacity) {}

  // The content of a file. Errors are those of Snapshot::open(); Unavailable also if somebody else
  // is opening it and `effort` is not whole, so that nobody in a hurry waits.
  absl::StatusOr<ContentPtr> get(Inode inode, const Snapshot& snapshot, Place file,
                                 const Effort& effort);

  // Lets go of all contents whose inode is to go.
  void drop(absl::FunctionRef<bool(Inode)> is_to_go) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  using Slot = Made<Content>;
  struct Used {
    Inode inode;
    std::shared_ptr<Slot> slot;
    std::size_t memory = 0;
  };
  using Order = std::list<Used>;

  std::shared_ptr<Slot> slot_of(Inode inode) ABSL_LOCKS_EXCLUDED(mutex_);
  // Books what the slot of `inode` costs and drops what has not been used for longest.
  void charge(Inode inode, std::size_t memory) ABSL_LOCKS_EXCLUDED(mutex_);

  static constexpr std::size_t kSlotMemory = 200;

  const std::size_t capacity_;
  cache::Mutex mutex_;
  Order order_ ABSL_GUARDED_BY(mutex_);  // the most recently used first
  absl::flat_hash_map<Inode, Order::iterator> slots_ ABSL_GUARDED_BY(mutex_);
  std::size_t memory_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace scidfs::fs
