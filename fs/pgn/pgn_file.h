// A PGN file of a source.
#pragma once

#include <cstdint>
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

// The bytes that a PGN file had, as far as they are needed to know them again; no bytes: unknown.
struct PgnFront {
  std::uint64_t bytes = 0;
  std::uint64_t checksum = 0;
};

}  // namespace scidfs::fs
