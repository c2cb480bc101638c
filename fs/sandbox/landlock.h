// Landlock: the kernel refuses a process every file but those it has named before.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>
#include <vector>

namespace scidfs::fs {

// What a process may still open. A path that does not exist is left out.
struct OpenPaths {
  // Folders that may be listed, whose files may be read, and everything below them; or files.
  std::vector<std::filesystem::path> read;
  // Folders whose files, and those below, may be read by whoever knows their names.
  std::vector<std::filesystem::path> read_by_name;
  // Folders whose files, and those below, may be made, written, renamed and removed as well.
  std::vector<std::filesystem::path> write;
  // Devices and the like that may be read and written.
  std::vector<std::filesystem::path> devices;
};

// The version of the kernel's Landlock; 0 if it has none, or none for us.
int landlock_version();

// From now on this process and all it starts can open no other files, make no mount, run no
// program; and as far as the kernel knows how: no TCP (version 4), no ioctl of other devices (5),
// no signals to and no abstract sockets of others (6). What is open stays open. For good.
// REQUIRES: landlock_version() > 0; no_new_privs is set; no other thread.
absl::Status confine_files(const OpenPaths& paths);

}  // namespace scidfs::fs
