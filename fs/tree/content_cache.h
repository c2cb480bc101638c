// The contents of virtual files that took work to open: lists of games with their sizes added up,
// tables, crosstables.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <memory>

#include "fs/base/inode.h"
#include "fs/content/content.h"
#include "fs/content/single_flight_cache.h"
#include "fs/content/snapshot.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

using ContentPtr = std::shared_ptr<const Content>;

// Keeps contents by the numbers of their files, within a budget in bytes of memory. Thread-safe.
class ContentCache {
 public:
  explicit ContentCache(std::size_t capacity) : contents_(capacity) {}

  // The content of a file, opened by one of those who want it. Errors are those of
  // Snapshot::open(); Unavailable also if somebody else is opening it and `effort` is not whole.
  absl::StatusOr<ContentPtr> get(Inode inode, const Snapshot& snapshot, LocalId file,
                                 const WorkBudget& budget);

  // Lets go of all contents whose inode is to go.
  void drop(absl::FunctionRef<bool(const Inode&)> is_to_go) { contents_.drop(is_to_go); }

 private:
  SingleFlightCache<Inode, Content> contents_;
};

}  // namespace scidfs::fs
