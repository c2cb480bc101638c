// The options of a mount.
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
  bool nonempty = false;       // the mount may silently hide files in the mount point

  std::size_t cache_bytes = std::size_t{64} << 20;
  std::size_t question_bytes = std::size_t{512} << 20;  // for all answers that are being made
  LibraryOptions library{.database = {.index_bytes = DatabaseOptions::kUsualIndexBytes}};
  // The source of library.database.reference.
  DataFileChoices data_files = installed_data_files();

  // Owner and modes of every file.
  uid_t uid = 0;
  gid_t gid = 0;
  mode_t file_mode = 0444;
  mode_t directory_mode = 0555;

  SandboxMode sandbox = SandboxMode::Auto;
  // The user that the daemon becomes; only root may choose one.
  std::optional<User> run_as;

  // "name" or "name=value" for libfuse and fusermount3, not escaped.
  std::vector<std::string> fuse_options;
};

}  // namespace scidfs::fs
