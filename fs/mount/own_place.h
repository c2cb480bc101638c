// The mount point of a source for which the user has named none.
#pragma once

#include <absl/status/statusor.h>

#include <array>
#include <filesystem>

#include "fs/file/descriptor.h"
#include "fs/mount/mount_place.h"

namespace scidfs::fs {

// Returns the folders that may be it, the first one first: SOURCE-mnt beside the source, and one
// below $XDG_RUNTIME_DIR/scidfs, with the name that `open-as-folder` gives there. `source`: an
// absolute path, as locate() returns it.
std::array<std::filesystem::path, 2> own_places(const std::filesystem::path& source);

// Locks the source until the descriptor is closed, so that of two programs that are to show it at
// the same place, one makes the place and mounts there, and takes away its folder if that fails.
// Unavailable if another program does so now. No descriptor where the source knows no locks.
absl::StatusOr<Descriptor> lock_own_place(const std::filesystem::path& source);

// Returns the first of these that is an empty folder, or the mount of a scidfs; makes it if it is
// missing (MountPlace::make_folder()). FailedPrecondition if neither can be had: says why, and what
// to type.
absl::StatusOr<MountPlace> make_own_place(const std::filesystem::path& source);

}  // namespace scidfs::fs
