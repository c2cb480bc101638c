// The contents of virtual files that took work to open: lists of games with their sizes added up,
// tables, crosstables.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <memory>

#include "fs/base/inode.h"
#include "fs/content/content.h"
#include "fs/content/effort.h"
#include "fs/content/made_cache.h"
#include "fs/content/snapshot.h"

namespace scidfs::fs {

using ContentPtr = std::shared_ptr<const Content>;

// Keeps contents by the numbers of their files, within a budget in bytes of memory. Thread-safe.
class ContentCache {
 public:
  explicit ContentCache(std::size_t capacity) : contents_(capacity) {}

  // The content of a file, opened by one of those who want it. Errors are those of
  // Snapshot::open(); Unavailable also if somebody else is opening it and `effort` is not whole.
  absl::StatusOr<ContentPtr> get(Inode inode, const Snapshot& snapshot, Place file,
                                 const Effort& effort);

  // Lets go of all contents whose inode is to go.
  void drop(absl::FunctionRef<bool(const Inode&)> is_to_go) { contents_.drop(is_to_go); }

 private:
  MadeCache<Inode, Content> contents_;
};

}  // namespace scidfs::fs
