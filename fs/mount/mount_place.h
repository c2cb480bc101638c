// The folder that a mount covers, held by a descriptor of the folder above it.
//
// A name that root resolves twice may lead elsewhere the second time, if another user may write to
// a folder on the way. So a mount point is found once, and from then on it is a name in a folder
// that is open.
#pragma once

#include <absl/status/statusor.h>
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

class MountPlace {
 public:
  // Opens the folder above the last name of an absolute path, name by name from the root folder,
  // each once. Follows links, those at the end too; root follows none that another user may have
  // put there. The last name itself may be missing, or a dead mount. Errors say what to do.
  static absl::StatusOr<MountPlace> find(const std::filesystem::path& path);

  // The path without links, for messages and for comparing.
  const std::filesystem::path& path() const { return path_; }
  int parent() const { return parent_.get(); }

  // Opens the folder that has the name now: the root of the newest mount there, if there is one.
  // On failure errno says why. The descriptor permits no reading; while it is open, what it belongs
  // to is busy.
  Descriptor open() const;

  // Returns the device number of the file system there, without asking that file system. Nothing if
  // no folder has the name.
  std::optional<dev_t> device() const;

  // Opens the folder that is to be covered, for later. Returns false, with errno, if there is none.
  bool take_folder();
  int folder() const { return folder_.get(); }
  // Closes it. A mount on it is not busy because of it, but the file system that it is in is.
  void release_folder() { folder_ = Descriptor(); }
  // Returns whether that folder has the name now, and nothing is mounted on it.
  bool has_folder() const;

  // Makes the folder that is to be covered. Returns false, with errno, if that fails.
  bool make_folder();
  // Removes a folder that was made so, if it is empty and nothing is mounted on it.
  void remove_made() const;

 private:
  MountPlace(Descriptor parent, std::string name, std::filesystem::path path)
      : parent_(std::move(parent)), name_(std::move(name)), path_(std::move(path)) {}

  Descriptor parent_;
  std::string name_;
  std::filesystem::path path_;
  Descriptor folder_;
  bool is_made_ = false;
};

// Returns the device number of an open file or folder, without asking its file system.
std::optional<dev_t> device_of(int file);

// Unmounts the root of a mount that is open, even if it is dead or in use, or, with `by_force`, has
// requests that wait. For root only: returns false otherwise.
bool detach(const Descriptor& mounted, bool by_force);

}  // namespace scidfs::fs
