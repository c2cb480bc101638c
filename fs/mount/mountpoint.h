// What can be known about a mount point before anything is done.
#pragma once

#include <absl/status/status.h>

#include <filesystem>

#include "fs/mount/options.h"

namespace scidfs::fs {

// Whether the source can be mounted on the mount point by this user. Errors say what to do. A mount
// that a killed scidfs left there is cleaned up. A warning in the log if the mount will hide
// something. REQUIRES: resolve_paths().
absl::Status prepare_mountpoint(const MountOptions& options);

// Unmounts what is mounted at a real path, also if it is dead or in use. False if that cannot be
// done.
bool unmount_lazily(const std::filesystem::path& mountpoint);

}  // namespace scidfs::fs
