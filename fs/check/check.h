// scidfs --check: finds which parts of the databases, PGN files, archives and books of a source can
// be read.
#pragma once

#include <absl/functional/function_ref.h>

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "fs/library/library.h"

namespace scidfs::fs {

// From better to worse.
enum class Health {
  Good,
  Damaged,
  Unreadable,  // a database, or the whole source, cannot be opened
};

struct CheckOptions {
  unsigned threads = 0;  // 0: one for each processor
  // Folder for the nameless files into which large archives are unpacked; empty: none.
  std::filesystem::path unpack_folder{};
  // At most this many findings of each kind are printed; all are counted.
  std::size_t most_lines = 100;
  std::size_t most_notes = 5;
};

// Opens a folder or a single file as a mount would, decodes every game, and prints a report, some
// lines at a time. For archives and books, prints the errors that concern them as a whole. Writes
// nothing else and saves nothing. A PGN file is damaged if a game of it is not read as it is
// written, and unreadable if a mount refuses it. Redundant fields of the index that disagree with
// the moves are no damage: scidfs shows the moves.
Health check(const std::filesystem::path& source, const CheckOptions& options,
             absl::FunctionRef<void(std::string_view)> print, Progress progress);

}  // namespace scidfs::fs
