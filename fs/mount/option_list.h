// What stands after -o: lists of options, those of scidfs, of FUSE and of mount(8).
#pragma once

#include <absl/status/status.h>
#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fs/mount/options.h"

namespace scidfs::fs {

// Collects lists and then settles what depends on all of them. Errors are InvalidArgument and one
// line that says what is wrong with which option.
class OptionList {
 public:
  // What the options say goes there; it outlives the list.
  explicit OptionList(MountOptions& mount) : mount_(mount) {}

  // The names of those that mean something to scidfs or to FUSE; not of those that are left to
  // others.
  static std::vector<std::string_view> names();

  // A list as in libfuse: split at commas, a backslash takes the next character as it is, and \ooo
  // is a byte.
  absl::Status add(std::string_view list);
  // From now on options that nobody knows are left out, as mount(8) -s wants it.
  void ignore_unknown() { ignores_unknown_ = true; }
  // Once, after all lists: owner and modes of the files, the cache folder, what FUSE is told. Asks
  // the database of users.
  absl::Status settle();

  // The options that were given; the setters of the table in option_list.cc write to them.
  struct Given {
    std::optional<mode_t> umask{}, fmask{}, dmask{};
    std::optional<std::string> fsname{}, subtype{};
    std::optional<std::string> run_as{};
    std::optional<std::filesystem::path> cache_dir{};  // empty: none
    std::optional<uid_t> uid{};
    std::optional<gid_t> gid{};
    bool allow_other = false;
    bool allow_root = false;
  };

 private:
  absl::Status add_one(std::string_view option);
  bool add_flag(std::string_view name);
  absl::Status settle_owner();

  MountOptions& mount_;
  Given given_;
  bool ignores_unknown_ = false;
};

}  // namespace scidfs::fs
