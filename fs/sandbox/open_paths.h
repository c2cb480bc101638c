// What a program has to open to do its work. Found out before the sandbox is locked, since a link
// can only be followed by who may read it.
#pragma once

#include <filesystem>
#include <vector>

namespace scidfs::fs {

// What a process may still open. A path that does not exist is left out.
struct OpenPaths {
  // Folders that may be listed, whose files may be read, and everything below them; or files.
  std::vector<std::filesystem::path> read{};
  // Folders whose files, and those below, may be read by whoever knows their names.
  std::vector<std::filesystem::path> read_by_name{};
  // Folders whose files, and those below, may be made, written, renamed and removed as well.
  std::vector<std::filesystem::path> write{};
  // Devices and the like that may be read and written.
  std::vector<std::filesystem::path> devices{};
};

// Adds what a mount or a check of `source` reads: a folder with what appears there later, or the
// folder of a single file, because a program may save a database by putting a new file in its
// place. With `follow_links` also the folders that links of databases and the like, and links to
// folders, lead to now, with what links in these lead to.
void add_source(const std::filesystem::path& source, bool follow_links, OpenPaths& paths);

// Adds what reading a file by its name takes that somebody has typed, and the files beside it that
// begin alike: those of a database or a book. Links are followed wherever they lead.
void add_named(const std::filesystem::path& file, OpenPaths& paths);

// Adds the folder in which a file is to be made.
void add_result(const std::filesystem::path& file, OpenPaths& paths);

}  // namespace scidfs::fs
