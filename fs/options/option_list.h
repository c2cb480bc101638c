// The arguments of -o: lists of options of scidfs, FUSE and mount(8).
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <vector>

#include "fs/options/mount_options.h"
#include "fs/options/option_table.h"

namespace scidfs::fs {

// A collector of lists, which then sets the values that depend on all of them. Errors are
// InvalidArgument and one line that names the option and the fault.
class OptionList {
 public:
  // `mounts`: whether the options are for a mount. Otherwise those that change nothing of what is
  // shown are refused, with all of FUSE and of mount(8).
  explicit OptionList(bool mounts = true) : mounts_(mounts) {}

  // Returns the names of the options that scidfs or FUSE handles, without those left to other
  // programs.
  static std::vector<std::string_view> names();

  // Adds a list in libfuse's syntax: commas separate, a backslash quotes the next character, and
  // \ooo is a byte.
  absl::Status add(std::string_view list);
  // Makes later calls of add() skip unknown options, as mount(8) -s requires.
  void ignore_unknown() { ignores_unknown_ = true; }
  // The options so far, to which a command line adds what is in no list.
  MountOptions& options() { return given_; }
  // Sets owner and modes of the files, the cache folder and the options for FUSE. Asks the database
  // of users. REQUIRES: called once, after all lists.
  absl::StatusOr<MountOptions> settle();

 private:
  absl::Status add_one(std::string_view option);
  bool add_foreign_flag(std::string_view name);
  absl::Status settle_owner();

  const bool mounts_;
  GivenOptions given_;
  bool ignores_unknown_ = false;
};

}  // namespace scidfs::fs
