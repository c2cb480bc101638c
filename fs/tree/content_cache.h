// Caches the contents of virtual files that are expensive to open: lists of games with their sizes
// added up, tables, crosstables.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <memory>

#include "fs/base/inode.h"
#include "fs/content/content.h"
#include "fs/content/node.h"
#include "fs/content/single_flight_cache.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

using ContentPtr = std::shared_ptr<const Content>;

// Contents by inode number, within a limit in bytes of memory. Thread-safe.
class ContentCache {
 public:
  explicit ContentCache(std::size_t capacity) : contents_(capacity) {}

  // Returns the content of a file. One of the threads that need it opens it. Errors are those of
  // Node::open(); Unavailable also if another thread is opening it and `budget` is limited.
  absl::StatusOr<ContentPtr> get(Inode inode, const Node& file, const WorkBudget& budget);

  // Evicts all contents whose inode `is_to_go` accepts.
  void drop(absl::FunctionRef<bool(const Inode&)> is_to_go) { contents_.drop(is_to_go); }

 private:
  SingleFlightCache<Inode, Content> contents_;
};

}  // namespace scidfs::fs
