// Checks a mount point before anything is done.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <filesystem>

#include "fs/mount/mount_place.h"
#include "fs/options/mount_options.h"

namespace scidfs::fs {

// Returns the place of the mount point, with the folder that is to be covered, if this user can
// mount there; without a mount point in the options, one of the source's own (own_place.h). Errors
// say what to do. Cleans up a mount that a killed scidfs left there. Logs a warning if the mount
// will hide files. `shown`: the real path of the source.
absl::StatusOr<MountPlace> prepare_mountpoint(const MountOptions& options,
                                              const std::filesystem::path& shown);

// Unmounts the mount at a place, whose root is `mounted`, even if it is dead or in use. Returns
// false if that fails.
bool unmount_lazily(const MountPlace& place, const Descriptor& mounted);

}  // namespace scidfs::fs
