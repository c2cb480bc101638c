// Finds the paths that a program must open for its work. This happens before the sandbox is locked,
// since only a process that may read a link can follow it.
#pragma once

#include <filesystem>
#include <vector>

namespace scidfs::fs {

// The paths that a process may still open. Paths that do not exist are skipped.
struct OpenPaths {
  // Folders to list, with all files below them to read; or files.
  std::vector<std::filesystem::path> read{};
  // Folders whose files, also those in subfolders, may be read but not listed.
  std::vector<std::filesystem::path> read_by_name{};
  // Folders whose files, also those in subfolders, may be created, written, renamed and removed as
  // well.
  std::vector<std::filesystem::path> write{};
  // Devices and similar files to read and write.
  std::vector<std::filesystem::path> devices{};
};

// Adds the paths that a mount or a check of `source` reads: a folder with everything that appears
// in it later, or the folder of a single file, because a program may save a database by replacing
// its file. With `follow_links` also the folders to which links to databases and other sources, and
// links to folders, lead now, including the links in those folders.
void add_source(const std::filesystem::path& source, bool follow_links, OpenPaths& paths);

// Adds the paths for reading a file whose name a user has typed, and the files beside it with the
// same beginning: those of a database or a book. Follows all links.
void add_named(const std::filesystem::path& file, OpenPaths& paths);

// Adds the folder in which a file is to be created.
void add_result(const std::filesystem::path& file, OpenPaths& paths);

}  // namespace scidfs::fs
