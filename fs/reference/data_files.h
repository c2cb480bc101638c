// Scid's data files: where they are looked for, and how they are opened.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>
#include <optional>

#include "fs/file/source_file.h"
#include "fs/reference/reference.h"

namespace scidfs::fs {

// One of the files.
struct DataFileChoice {
  std::filesystem::path path{};  // absolute; empty: none
  // Somebody has named the file, so it must be there; else it is read if it is.
  bool is_named = false;
};

struct DataFileChoices {
  DataFileChoice spelling{};  // names of players, sites, events and rounds
  DataFileChoice eco{};       // names of openings
};

// Where Debian's packages scid-rating-data and scid-data put them.
DataFileChoices installed_data_files();

// The files, open: to be opened before a sandbox closes, since they may lie anywhere. Errors name
// the file: one that somebody has named cannot be opened. One that nobody has named and that cannot
// be opened counts as not there.
class DataFiles {
 public:
  static absl::StatusOr<DataFiles> open(const DataFileChoices& choices);

  // What they say. What takes long to find out is found out on another thread, and kept in the
  // cache folder (empty: is not kept). A file that cannot be used is a warning in the log. To be
  // called once.
  ReferencePtr load(const std::filesystem::path& cache_folder);

 private:
  std::optional<SourceFile> spelling_;
  std::optional<SourceFile> eco_;
};

}  // namespace scidfs::fs
