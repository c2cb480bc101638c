// Scidb archives (.scv, .ive) as directories: their databases, PGN files and all other members.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/archive/archive_file.h"
#include "fs/archive/archive_layout.h"
#include "fs/archive/inner_database.h"
#include "fs/content/places_snapshot.h"
#include "fs/database/database_options.h"
#include "fs/pages/page.h"

namespace scidfs::fs {

// An archive that was opened, with the files of its databases unpacked. Immutable and shared.
class ArchiveContents {
 public:
  // `with_pgn`: its PGN files are databases, too. Errors: the file is no archive, or none of it can
  // be read; Cancelled.
  static absl::StatusOr<std::shared_ptr<const ArchiveContents>> open(SourceFile file,
                                                                     const UnpackOptions& options,
                                                                     bool with_pgn);

  const std::shared_ptr<const ArchiveFile>& file() const { return file_; }
  const ArchiveLayout& layout() const { return layout_; }
  // Returns the databases of layout().databases(), in the same order.
  const std::vector<InnerDatabase>& databases() const { return databases_; }
  const std::vector<std::string>& problems() const { return problems_; }
  // Returns whether the archive ends where it should.
  bool is_whole() const { return file_->archive().fault == codec::scv::Fault::None; }

 private:
  ArchiveContents(std::shared_ptr<const ArchiveFile> file, bool with_pgn);
  absl::Status unpack_databases(IsCancelled is_cancelled);
  absl::StatusOr<InnerDatabase> unpack_database(const PlacedDatabase& placed,
                                                IsCancelled is_cancelled);
  InnerDatabase database_of_pgn(const PlacedDatabase& placed) const;
  FileStamp stamp_of(const ArchiveLayout::MemberFile& file) const;

  const std::shared_ptr<const ArchiveFile> file_;
  const ArchiveLayout layout_;
  std::vector<std::string> problems_;
  std::vector<InnerDatabase> databases_;
};

// The directory of an archive. It has
// - a directory for each database (the library mounts it there),
// - the PGN files, those packed by gzip also unpacked, each with the directory of its database,
// - info.txt, which lists all members and their problems; folders that hold databases have one too,
// - files/, with all members that are not part of a database that can be shown, unchanged,
// - a page, which every directory has unless a member takes its name,
// - .ignore and .fdignore, unless members take these names; not listed.
// Only info.txt lists members that are damaged or lie elsewhere. No member is ever fetched from
// elsewhere.
class ArchiveSnapshot : public PlacesSnapshot {
 public:
  ArchiveSnapshot(std::shared_ptr<const ArchiveContents> contents, ContainerView view,
                  PagesMode pages)
      : contents_(std::move(contents)), view_(std::move(view)), pages_(pages) {}

  std::string summary() const override;
  std::vector<std::string> problems() const override { return contents_->problems(); }
  std::uint64_t memory() const override { return contents_->file()->memory(); }

 private:
  bool exists(LocalId place) const override;
  bool is_directory(LocalId place) const override { return layout().directory(place) != nullptr; }
  LocalId parent(LocalId directory) const override { return layout().directory(directory)->parent; }
  absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget& budget,
                    EmitChild emit) const override;
  std::optional<Child> find(LocalId directory, std::string_view name) const override;
  bool is_of_source(LocalId place) const override { return place.entry == kArchiveFile; }
  absl::StatusOr<std::unique_ptr<Content>> open(LocalId file,
                                                const WorkBudget& budget) const override;
  const ArchiveLayout& layout() const { return contents_->layout(); }
  bool is_shown(const Child& child) const {
    return !child.mounted.has_value() || view_.inner[*child.mounted].is_shown;
  }
  std::string info_text(const ArchiveLayout::Directory& directory) const;
  std::string ignore_text() const;
  // Returns the file with this number in kPageFiles as a child; nothing if the directory lacks it.
  std::optional<Child> page_file(const ArchiveLayout::Directory& directory,
                                 std::size_t number) const;
  std::string name_of(const ArchiveLayout::Directory& directory) const;
  std::vector<Crumb> crumbs_of(const ArchiveLayout::Directory& directory) const;
  std::string page_text(const ArchiveLayout::Directory& directory) const;

  const std::shared_ptr<const ArchiveContents> contents_;
  const ContainerView view_;
  const PagesMode pages_;
};

}  // namespace scidfs::fs
