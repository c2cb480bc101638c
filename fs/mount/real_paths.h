// Where the paths of a command line lead.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <filesystem>

#include "fs/mount/options.h"

namespace scidfs::fs {

// An absolute path with the parents as realpath(3) says: the folder that `ls` shows, whatever links
// and `..` there are. The last part stays as it is, since it may be missing or a dead mount, unless
// it is `.` or `..`. NotFound and the like if one of the parents is not there.
absl::StatusOr<std::filesystem::path> locate(const std::filesystem::path& path);

// Makes source and mount point of a mount what locate() says, the mount point through links of its
// own, and names the mount after its source if nobody has named it.
absl::Status resolve_paths(MountOptions& options);

}  // namespace scidfs::fs
