// The mounts of scidfs that this process sees, by the table of the kernel.
#pragma once

#include <absl/status/status.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "fs/mount/mount_place.h"

namespace scidfs::fs {

// A mount of type fuse.scidfs.
struct ShownMount {
  std::string source;  // as `mount` shows it: -o fsname=
  std::filesystem::path mountpoint;
};

// Returns them, those that were mounted last last. Asks no file system.
std::vector<ShownMount> mounts_of_ours();

// Returns the type of the newest mount at a place. Empty if nothing is mounted there.
std::string mounted_type(const MountPlace& place);
inline constexpr std::string_view kTypeOfOurs = "fuse.scidfs";

// Unmounts the mounts that are at a path, or show it; the last one first. `path`: as locate()
// returns it. Waits until folders that the mounts have made are gone. Calls tell(mountpoint) for
// each. NotFound if there is none; FailedPrecondition, which says what to do, if one is in use or
// belongs to another user.
absl::Status unmount_shown(const std::filesystem::path& path,
                           void (*tell)(const ShownMount& unmounted));

}  // namespace scidfs::fs
