// A version of a database, or of several together, as a directory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/content/snapshot.h"
#include "fs/database/database.h"
#include "fs/search/query_context.h"
#include "fs/views/version.h"

namespace scidfs::fs {

class View;

// Its places are those of the views: `view` is a number for find_view().
class DatabaseSnapshot : public Snapshot {
 public:
  // All databases of a mount share `searches`; null: this database gets its own. `is_in_folder`:
  // the directory above has a page; else the database is the mount point.
  explicit DatabaseSnapshot(DatabasePtr database, std::shared_ptr<QueryContext> searches = nullptr,
                            bool is_in_folder = false);

  // Shows several databases of a folder as one.
  explicit DatabaseSnapshot(const std::shared_ptr<const Together>& together);

  const VersionPtr& version() const { return version_; }
  const DatabasePtr& database() const { return version_->database; }

  std::string summary() const override;  // "1000 games"
  std::vector<std::string> problems() const override;
  std::uint64_t memory() const override;

  bool is_directory(LocalId place) const override;
  bool exists(LocalId place) const override;
  std::uint64_t identity(LocalId place) const override;
  LocalId parent(LocalId directory) const override;
  absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget& budget,
                    EmitChild emit) const override;
  std::optional<Child> lookup(LocalId directory, std::string_view name) const override;
  bool is_cheap(LocalId file) const override;
  absl::StatusOr<std::unique_ptr<Content>> open(LocalId file,
                                                const WorkBudget& budget) const override;

 private:
  bool has_pages() const {
    return version_->together == nullptr && database()->options().pages != PagesMode::None;
  }
  // Finds NAME.csv beside a table NAME.tsv.
  std::optional<Child> find_csv(LocalId directory, std::string_view name) const;
  // Lists the page of a directory with what it loads, and the pages of its games, as far as the
  // listing has them.
  absl::Status list_pages(const View& view, LocalId directory, std::uint64_t first,
                          EmitChild emit) const;
  std::optional<Child> listed_page_file(LocalId directory, std::size_t number) const;
  // Finds the page of a directory that is no set, or a file that all pages load.
  std::optional<Child> find_page_file(LocalId directory, std::string_view name) const;

  const VersionPtr version_;
};

}  // namespace scidfs::fs
