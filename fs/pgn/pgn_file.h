// A PGN file of a source.
#pragma once

#include <filesystem>

#include "fs/archive/inner_database.h"
#include "fs/file/source_file.h"

namespace scidfs::fs {

// A PGN file as it was when its stamp was taken.
struct PgnFile {
  std::filesystem::path path;
  FileStamp stamp;
  OpenFile open;
  bool is_unpacked = false;  // from a container, which shows its bytes
};

}  // namespace scidfs::fs
