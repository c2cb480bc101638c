// scidfs --check: what can be read of the databases, archives and books of a source, and what
// cannot.
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
  Unreadable,  // a database, or all of the source, cannot be opened
};

struct CheckOptions {
  unsigned threads = 0;  // 0: one for each processor
  // For nameless files, into which large archives are unpacked; empty: none.
  std::filesystem::path unpack_folder{};
  // Of each kind of finding at most this many are printed; all are counted.
  std::size_t most_lines = 100;
  std::size_t most_notes = 5;
};

// Opens a folder or a single file as a mount would, decodes every game, and prints a report, some
// lines at a time. Of archives and books it prints what is wrong with them as a whole. Writes
// nothing else and keeps nothing. Redundant fields of the index that disagree with the moves are no
// damage: what scidfs shows is the moves.
Health check(const std::filesystem::path& source, const CheckOptions& options,
             absl::FunctionRef<void(std::string_view)> print, Progress progress);

}  // namespace scidfs::fs
