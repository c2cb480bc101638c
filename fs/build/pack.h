// scidfs-pack: packs databases into a Scidb archive.
#pragma once

#include <absl/status/status.h>

#include <chrono>
#include <filesystem>
#include <vector>

#include "fs/file/file_maker.h"

namespace scidfs::fs {

struct PackOptions {
  // Index files of databases that can be shown (NAME.si4), with their other files beside them, and
  // PGN files.
  std::vector<std::filesystem::path> databases;
  std::filesystem::path archive;
  bool overwrite = false;
  std::chrono::milliseconds pause{500};          // between two tries
  const FileMaker* maker = &FileMaker::usual();  // of the archive
};

// Writes an archive that Scidb can read, of databases as they are at one moment. If a process
// writes to one of them meanwhile, starts again; gives up after some tries. Reads the written
// archive again and compares it before giving it its name. Until then no process can see it, and a
// failure leaves nothing behind. Error messages are one line: a file is missing or unreadable, has
// a name that archives do not accept, or is too large; the archive exists and `overwrite` is not
// set.
absl::Status pack(const PackOptions& options);

}  // namespace scidfs::fs
