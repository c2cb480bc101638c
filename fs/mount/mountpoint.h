// What can be known about a mount point before anything is done.
#pragma once

#include <absl/status/status.h>

#include <filesystem>

namespace scidfs::fs {

// Whether `source` can be mounted on `mountpoint` by this user. Errors say what to do. A mount that
// a killed scidfs left behind there is cleaned up.
absl::Status prepare_mountpoint(const std::filesystem::path& mountpoint,
                                const std::filesystem::path& source);

// Unmounts what is mounted at a real path, also if it is dead or in use. False if that cannot be
// done.
bool unmount_lazily(const std::filesystem::path& mountpoint);

}  // namespace scidfs::fs
