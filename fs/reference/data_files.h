// Scid's data files and FIDE's list: where the program looks for them, and how it opens them.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>
#include <optional>

#include "fs/reference/reference.h"
#include "fs/reference/spelling_load.h"

namespace scidfs::fs {

// One of the files.
struct DataFileChoice {
  std::filesystem::path path{};  // absolute; empty: none
  // Whether the user has named the file, so that it must exist; otherwise it is read if it exists.
  bool is_named = false;
};

struct DataFileChoices {
  DataFileChoice spelling{};  // names of players, sites, events and rounds
  DataFileChoice eco{};       // names of openings
  DataFileChoice fide{};      // FIDE's list of players
};

// Returns the paths where Debian's packages scid-rating-data and scid-data install the files.
DataFileChoices installed_data_files();
// Returns the list of players, as text or zip file, in the folder where a user puts files (empty:
// none), or in that of all users; no path if there is none.
DataFileChoice find_player_list(const std::filesystem::path& users);

// The open files. The program opens them before a sandbox closes, since they may lie anywhere.
// Errors name the file: one that the user has named cannot be opened. A file that the user has not
// named and that cannot be opened counts as missing.
class DataFiles {
 public:
  static absl::StatusOr<DataFiles> open(const DataFileChoices& choices);

  // Returns the content of the files. Another thread does the long work, whose result is saved in
  // the cache folder (empty: not saved). A file that cannot be used is in the log, as an
  // error if the user has named it. Call this only once.
  ReferencePtr load(const std::filesystem::path& cache_folder);

 private:
  std::optional<DataFile> spelling_;
  std::optional<DataFile> eco_;
  std::optional<DataFile> fide_;
};

}  // namespace scidfs::fs
