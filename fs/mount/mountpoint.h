// Checks a mount point before anything is done.
#pragma once

#include <absl/status/status.h>

#include <filesystem>

#include "fs/mount/options.h"

namespace scidfs::fs {

// Returns whether this user can mount the source on the mount point. Errors say what to do. Cleans
// up a mount that a killed scidfs left there. Logs a warning if the mount will hide files.
// REQUIRES: resolve_paths().
absl::Status prepare_mountpoint(const MountOptions& options);

// Unmounts a real path, even if the mount is dead or in use. Returns false if that fails.
bool unmount_lazily(const std::filesystem::path& mountpoint);

}  // namespace scidfs::fs
