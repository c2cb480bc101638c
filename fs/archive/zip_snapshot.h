// Zip files as directories: their PGN files are databases.
#pragma once

#include <absl/status/statusor.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "codec/text.h"
#include "fs/archive/inner_database.h"
#include "fs/content/places_snapshot.h"
#include "fs/database/database_options.h"
#include "fs/file/private_file.h"
#include "fs/file/source_file.h"
#include "fs/file/zip_file.h"

namespace scidfs::fs {

// A zip file that was opened. Immutable and shared.
class ZipContents {
 public:
  // `names` is the code page of the names; `is_source` tells which files have games. Errors: those
  // of list_zip().
  static absl::StatusOr<std::shared_ptr<const ZipContents>> open(SourceFile file,
                                                                 const UnpackOptions& options,
                                                                 codec::CodePage names,
                                                                 IsSource is_source);

  const SourceFile& file() const { return file_; }
  // Returns how many files it has.
  std::size_t size() const { return members_.size(); }
  // Returns its PGN files. They are unpacked when they are opened, each for the time that it is
  // open.
  const std::vector<InnerDatabase>& databases() const { return databases_; }
  // Returns the files whose games are left out, a line each, and the other files that are not
  // shown: the first hundred of either, and how many more.
  const std::vector<std::string>& problems() const { return problems_; }
  const std::vector<std::string>& left_out() const { return left_out_; }

 private:
  ZipContents(SourceFile file, UnpackOptions options)
      : file_(std::move(file)), options_(std::move(options)) {}

  FileStamp stamp_of(const ZipMember& member) const;
  absl::StatusOr<SourceFile> unpack(std::size_t member, const std::filesystem::path& path,
                                    const std::function<bool()>& is_cancelled) const;

  const SourceFile file_;
  const UnpackOptions options_;
  std::vector<ZipMember> members_;
  std::vector<InnerDatabase> databases_;
  std::vector<std::string> problems_;
  std::vector<std::string> left_out_;
};

// The directory of a zip file. It has a directory for each PGN file (the library mounts it there),
// info.txt, the zip file itself as source.zip, and a page. Folders of the zip file are not shown:
// of two PGN files with one name, the later one is NAME~1.pgn.
class ZipSnapshot : public PlacesSnapshot {
 public:
  ZipSnapshot(std::shared_ptr<const ZipContents> contents, ContainerView view, PagesMode pages)
      : contents_(std::move(contents)), view_(std::move(view)), pages_(pages) {}

  std::string summary() const override;
  std::vector<std::string> problems() const override { return contents_->problems(); }

 private:
  bool exists(LocalId place) const override;
  bool is_directory(LocalId place) const override { return place == LocalId{}; }
  absl::Status list(LocalId directory, std::uint64_t first, const WorkBudget& budget,
                    EmitChild emit) const override;
  std::optional<Child> find(LocalId directory, std::string_view name) const override;
  absl::StatusOr<std::unique_ptr<Content>> open(LocalId file,
                                                const WorkBudget& budget) const override;
  // Returns what the listing has at a position; nothing for a database that is not shown.
  std::optional<Child> child(std::size_t position) const;
  std::string info_text() const;
  std::string page_text() const;

  const std::shared_ptr<const ZipContents> contents_;
  const ContainerView view_;
  const PagesMode pages_;
};

}  // namespace scidfs::fs
