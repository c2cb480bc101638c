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
  // the directory above has a page; else the database is the mount point. `repertoires`: those that
  // the version is asked about; null: it has its own, of the mount's folder.
  explicit DatabaseSnapshot(const DatabasePtr& database,
                            std::shared_ptr<QueryContext> searches = nullptr,
                            bool is_in_folder = false,
                            std::shared_ptr<AskedRepertoires> repertoires = nullptr);

  // Shows several databases of a folder as one. `repertoires`: as above.
  explicit DatabaseSnapshot(const std::shared_ptr<const Together>& together,
                            std::shared_ptr<AskedRepertoires> repertoires = nullptr);

  const VersionPtr& version() const { return version_; }
  const DatabasePtr& database() const { return version_->database(); }

  std::string summary() const override;  // "1000 games"
  std::vector<std::string> problems() const override;
  std::uint64_t memory() const override;

  NodePtr bind(LocalId place) const override;
  std::uint64_t identity(LocalId place) const override;

 private:
  class Directory;

  DatabaseSnapshot(const DatabasePtr& database, const std::shared_ptr<QueryContext>& searches,
                   std::shared_ptr<AskedRepertoires> repertoires, bool is_in_folder);

  bool has_pages() const {
    return !version_->is_together() && version_->options().pages != PagesMode::None;
  }

  const VersionPtr version_;
};

}  // namespace scidfs::fs
