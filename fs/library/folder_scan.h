// Finds the databases and directories of texts below a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "fs/content/text_directory.h"

namespace scidfs::fs {

// A directory on disk. Parents come before what lies in them.
struct ScannedFolder {
  std::filesystem::path path;
  std::string relative;      // to the source; empty for the source itself
  std::size_t parent = 0;    // index among the folders
  bool has_content = false;  // something shown, or refused, here or below
  std::int64_t mtime_seconds = 0;
  std::uint32_t mtime_nanoseconds = 0;
  std::vector<std::string> refused{};  // "name: why"
};

struct ScannedDatabase {
  std::filesystem::path path;  // of the index file
  std::string relative;        // to the source
  std::size_t folder = 0;      // index among the folders
};

struct ScannedTexts {
  std::filesystem::path path;
  std::string relative;    // to the source
  std::string name;        // under which it is shown
  std::size_t folder = 0;  // index among the folders
  const TextFormat* format = nullptr;
};

struct FolderScan {
  std::vector<ScannedFolder> folders;      // the source first; each folder's by name
  std::vector<ScannedDatabase> databases;  // by path
  std::vector<ScannedTexts> texts;         // by path
  std::vector<std::string> unlisted;       // folders that cannot be listed, relative to the source
};

// Looks into `source` and everything below, but follows no links to folders, and none to other
// files that lie outside unless `follow_links`. A folder that cannot be listed counts as empty; the
// log says so. `formats` outlives the scan.
FolderScan scan_folders(const std::filesystem::path& source, bool follow_links,
                        std::span<const TextFormat> formats);

}  // namespace scidfs::fs
