#include "fs/tree/content_cache.h"

#include <utility>

namespace scidfs::fs {

absl::StatusOr<ContentPtr> ContentCache::get(Inode inode, const Snapshot& snapshot, LocalId file,
                                             const WorkBudget& budget) {
  const auto open = [&]() -> absl::StatusOr<ContentPtr> {
    absl::StatusOr<std::unique_ptr<Content>> opened = snapshot.open(file, budget);
    if (!opened.ok()) return opened.status();
    return ContentPtr(*std::move(opened));
  };
  return snapshot.is_cheap(file) ? open() : contents_.get(inode, budget, open);
}

}  // namespace scidfs::fs
