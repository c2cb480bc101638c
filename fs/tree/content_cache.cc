#include "fs/tree/content_cache.h"

#include <utility>

#include "fs/base/status_macros.h"

namespace scidfs::fs {

absl::StatusOr<ContentPtr> ContentCache::get(Inode inode, const Snapshot& snapshot, LocalId file,
                                             const WorkBudget& budget) {
  const auto open = [&]() -> absl::StatusOr<ContentPtr> {
    ASSIGN_OR_RETURN(std::unique_ptr<Content> opened, snapshot.open(file, budget));
    return ContentPtr(std::move(opened));
  };
  return snapshot.is_cheap(file) ? open() : contents_.get(inode, budget, open);
}

}  // namespace scidfs::fs
