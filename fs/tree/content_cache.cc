#include "fs/tree/content_cache.h"

#include <utility>

#include "fs/base/status_macros.h"

namespace scidfs::fs {

absl::StatusOr<ContentPtr> ContentCache::get(Inode inode, const Node& file,
                                             const WorkBudget& budget) {
  const auto open = [&]() -> absl::StatusOr<ContentPtr> {
    ASSIGN_OR_RETURN(std::unique_ptr<Content> opened, file.open(budget));
    return ContentPtr(std::move(opened));
  };
  return file.is_cheap() ? open() : contents_.get(inode, budget, open);
}

}  // namespace scidfs::fs
