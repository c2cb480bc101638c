// A PGN file as a directory: what a database has, and the file itself.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/content/snapshot.h"
#include "fs/database/database_options.h"
#include "fs/pgn/lazy_database.h"
#include "fs/search/query_context.h"

namespace scidfs::fs {

// The places of a database are those of its own snapshot; those of the files that it has besides
// are in a view of their own. As long as the file has not been read, only source.pgn exists, and
// directories by their numbers, since programs may be in those of an earlier version. A refused
// file has nothing else than source.pgn, but info.txt with the reason, and a page.
class PgnSnapshot : public Snapshot {
 public:
  // `searches`: those of the database when it has been read. `is_in_folder`: the directory above
  // has a page; else the file is the mount point.
  PgnSnapshot(std::shared_ptr<const LazyDatabase> database, std::shared_ptr<QueryContext> searches,
              PagesMode pages, bool is_in_folder)
      : database_(std::move(database)),
        searches_(std::move(searches)),
        pages_(pages),
        is_in_folder_(is_in_folder) {}

  std::string summary() const override;
  std::vector<std::string> problems() const override;
  std::uint64_t memory() const override;
  NodePtr bind(LocalId place) const override;
  std::uint64_t identity(LocalId place) const override;
  absl::StatusOr<bool> prepare_find(const WorkBudget& budget) const override;

 private:
  class Directory;
  class OwnFile;

  const PgnFile& source() const { return database_->file(); }
  // Returns the snapshot of the database; null as long as it has not been read, and if it is
  // refused.
  std::shared_ptr<const DatabaseSnapshot> views() const;
  // Return a file that the directory has besides those of a database, by its number, when this has
  // been made; one that it lists.
  std::optional<Child> own_file(std::size_t number, const LazyDatabase::Ptr& made) const;
  std::optional<Child> listed_file(std::size_t number, const LazyDatabase::Ptr& made) const;
  absl::StatusOr<std::unique_ptr<Content>> open_own(LocalId file, const WorkBudget& budget) const;
  // Opens source.pgn. If the file has grown since, reads it as a database first, unless that has
  // been done: its checksum tells whether the file begins with the bytes of this version.
  absl::StatusOr<std::unique_ptr<Content>> open_source(const WorkBudget& budget) const;
  std::string refusal_text(const ReadSource& read) const;
  std::string refusal_page(const LazyDatabase::Ptr& made) const;

  const std::shared_ptr<const LazyDatabase> database_;
  const std::shared_ptr<QueryContext> searches_;
  const PagesMode pages_;
  const bool is_in_folder_;
};

}  // namespace scidfs::fs
