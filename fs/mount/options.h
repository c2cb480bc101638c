// Everything that a mount is told.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "fs/library/library.h"
#include "fs/reference/data_files.h"
#include "fs/sandbox/privileges.h"
#include "fs/sandbox/sandbox.h"

namespace scidfs::fs {

// Paths are absolute: the daemon leaves its working folder.
struct MountOptions {
  std::filesystem::path source;
  std::filesystem::path mountpoint;

  bool foreground = false;
  bool debug = false;          // libfuse prints every request; implies foreground
  bool single_thread = false;  // one request at a time
  unsigned max_idle_threads = 10;
  bool nonempty = false;  // what is in the mount point already may be hidden without a word

  std::size_t cache_bytes = std::size_t{64} << 20;
  LibraryOptions library;
  // What goes into library.reference.
  DataFileChoices data_files = installed_data_files();

  // What every file looks like from outside.
  uid_t uid = 0;
  gid_t gid = 0;
  mode_t file_mode = 0444;
  mode_t directory_mode = 0555;

  SandboxMode sandbox = SandboxMode::Auto;
  // Who the daemon becomes; only root may ask for it.
  std::optional<User> run_as;

  // "name" or "name=value" for libfuse and fusermount3, not escaped.
  std::vector<std::string> fuse_options;
};

}  // namespace scidfs::fs
