// A version of a database, or of several together, as a directory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fs/content/snapshot.h"
#include "fs/database/database.h"
#include "fs/search/query_context.h"
#include "fs/views/version.h"

namespace scidfs::fs {

// Its places are those of the views: `view` is a number for find_view().
class DatabaseSnapshot : public Snapshot {
 public:
  // All databases of a mount share `searches`; null: this database gets its own. `is_in_folder`:
  // the directory above has a page; else the database is the mount point.
  explicit DatabaseSnapshot(const DatabasePtr& database,
                            std::shared_ptr<QueryContext> searches = nullptr,
                            bool is_in_folder = false);

  // Shows several databases of a folder as one.
  explicit DatabaseSnapshot(const std::shared_ptr<const Together>& together);

  const VersionPtr& version() const { return version_; }
  const DatabasePtr& database() const { return version_->database(); }

  std::string summary() const override;  // "1000 games"
  std::vector<std::string> problems() const override;
  std::uint64_t memory() const override;

  NodePtr bind(LocalId place) const override;
  std::uint64_t identity(LocalId place) const override;

 private:
  class Directory;

  bool has_pages() const {
    return !version_->is_together() && version_->options().pages != PagesMode::None;
  }

  const VersionPtr version_;
};

}  // namespace scidfs::fs
