// Creating, syncing and locking folders.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

// Returns the folder of a file; "." for a name without a folder.
std::filesystem::path folder_of(const std::filesystem::path& file);

// Returns whether a path is a folder or lies below it; anything lies below an empty one. REQUIRES:
// both are real paths.
bool is_at_or_below(const std::filesystem::path& path, const std::filesystem::path& folder);

// Returns whether a file, a folder or a link has this name, even a link that leads nowhere.
bool has_name(const std::filesystem::path& path);

// Creates a folder with its parents, as `mkdir -p`, accessible only to the owner.
absl::Status make_folders(const std::filesystem::path& folder);

// Ensures that the names in a folder are on disk.
absl::Status sync_folder(const std::filesystem::path& folder);

// An exclusive lock of a folder, in this process and all others. It is advisory. Where the file
// system cannot lock a folder (NFS), there is no lock, and no error either.
class FolderLock {
 public:
  // Waits until the lock is free. Returns Unavailable if that takes longer than `patience`. All who
  // may read the folder can take it.
  static absl::StatusOr<FolderLock> take(const std::filesystem::path& folder,
                                         std::chrono::milliseconds patience);
  // Does the same with a file in the folder, which only its owner can open. Makes it if need be.
  static absl::StatusOr<FolderLock> take_file(const std::filesystem::path& file,
                                              std::chrono::milliseconds patience);

 private:
  explicit FolderLock(Descriptor locked) : locked_(std::move(locked)) {}
  static absl::StatusOr<FolderLock> lock(Descriptor opened, const std::filesystem::path& folder,
                                         std::chrono::milliseconds patience);

  Descriptor locked_;  // closing it releases the lock
};

}  // namespace scidfs::fs
