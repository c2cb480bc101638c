// What stands after -o: lists of options, those of scidfs, of FUSE and of mount(8).
#pragma once

#include <absl/status/status.h>

#include <string>
#include <string_view>
#include <vector>

#include "fs/mount/option_table.h"
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

 private:
  absl::Status add_one(std::string_view option);
  bool add_foreign_flag(std::string_view name);
  absl::Status settle_owner();

  MountOptions& mount_;
  UnsettledOptions unsettled_;
  bool ignores_unknown_ = false;
};

}  // namespace scidfs::fs
