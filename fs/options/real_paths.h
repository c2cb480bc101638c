// Resolves the paths of a command line.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <filesystem>

#include "fs/options/mount_options.h"

namespace scidfs::fs {

// Returns an absolute path whose parents are as realpath(3) says: the folder that `ls` shows, with
// all links and `..` resolved. The last part stays as it is, since it may be missing or a dead
// mount, unless it is `.` or `..`. Returns NotFound or a similar error if a parent does not exist.
absl::StatusOr<std::filesystem::path> locate(const std::filesystem::path& path);

// Resolves the source by locate(), and names the mount after it if it has no name. Returns the real
// path of what is shown: links at the end are followed, too.
absl::StatusOr<std::filesystem::path> resolve_source(MountOptions& options);

}  // namespace scidfs::fs
