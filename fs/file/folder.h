// Folders: making them, syncing them, and taking turns in them.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

// The folder that a file is in; "." for a name alone.
std::filesystem::path folder_of(const std::filesystem::path& file);

// Whether a path is a folder or lies below it. REQUIRES: both are real.
bool is_at_or_below(const std::filesystem::path& path, const std::filesystem::path& folder);

// Whether anything has this name, be it a link that leads nowhere.
bool has_name(const std::filesystem::path& path);

// As `mkdir -p`, for the owner alone.
absl::Status make_folders(const std::filesystem::path& folder);

// Makes sure that the names in a folder are on the disk.
absl::Status sync_folder(const std::filesystem::path& folder);

// While it lives nobody else has one for the same folder, in this process or another. Binding only
// for those who ask. Where the file system cannot lock a folder (NFS), there is no lock, and no
// error either.
class FolderLock {
 public:
  // Waits for whoever has it. Unavailable if it is not to be had within `patience`.
  static absl::StatusOr<FolderLock> take(const std::filesystem::path& folder,
                                         std::chrono::milliseconds patience);

 private:
  explicit FolderLock(Descriptor folder) : folder_(std::move(folder)) {}

  Descriptor folder_;  // the lock goes with it
};

}  // namespace scidfs::fs
