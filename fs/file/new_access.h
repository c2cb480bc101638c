// Who may do what with a new file: those who might do it with the file that it replaces, and with
// a file that replaces none no more people than with the files that it is made of.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "fs/file/descriptor.h"
#include "fs/file/time.h"

namespace scidfs::fs {

struct NewAccess {
  // For the owner alone, also where it replaces a file.
  static NewAccess owner_only() {
    return {.most = 0600, .is_fixed = true, .group = {}, .like = {}};
  }
  // For a file that is made of these; of a database all three files count. Files that replace none
  // get the access of `like`, if that is there: a part of the same result.
  static NewAccess of_result(std::span<const std::filesystem::path> sources,
                             std::filesystem::path like = {});

  mode_t most = 0666;  // what the umask leaves of it, for a file that replaces none
  bool is_fixed = false;
  std::optional<gid_t> group{};  // `most` has bits for this group alone; none: for any
  std::filesystem::path like{};
};

// A new file under its hidden name (aside.h).
struct AsideFile {
  Descriptor file;
  std::string aside;
};

// Creates an empty file beside `path` that is never more open than its future access. It gets
// owner, group, mode and access control list of the file that it is to replace. If the owner or the
// group cannot be kept, a warning says so. Returns PermissionDenied if the file would then be open
// to more people than the old one; other errors are those of creating files. Messages name the file
// `shown`.
absl::StatusOr<AsideFile> make_aside(const std::filesystem::path& path, const NewAccess& access,
                                     std::string_view shown);

// Sets the time of the last change of a file, which an error names `shown`.
absl::Status set_time(int file, FileTime time, std::string_view shown);

// Gives a file of this process an extended attribute, though its mode may deny writing. Returns
// whether the file system keeps it.
bool set_attribute(int file, const char* name, std::string_view value);

}  // namespace scidfs::fs
