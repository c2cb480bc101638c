// scidfs-pack: databases into a Scidb archive.
#pragma once

#include <absl/status/status.h>

#include <chrono>
#include <filesystem>
#include <vector>

namespace scidfs::fs {

struct PackOptions {
  // Index files of databases that can be shown (NAME.si4), whose other files lie beside them, and
  // PGN files.
  std::vector<std::filesystem::path> databases;
  std::filesystem::path archive;
  bool overwrite = false;
  std::chrono::milliseconds pause{500};  // between two tries
};

// Writes an archive that Scidb can read, of databases as they are at one moment: if somebody writes
// to one of them meanwhile, it starts again, and gives up after some tries. What it has written is
// read again and compared before it gets its name; until then nobody sees anything of it, and when
// it fails, nothing is left. Errors are one line: a file is missing or unreadable, has a name that
// archives do not take, is too large; the archive is there already and `overwrite` is not set.
absl::Status pack(const PackOptions& options);

}  // namespace scidfs::fs
