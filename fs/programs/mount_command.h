// The command line of scidfs, also where mount(8) calls it.
#pragma once

#include <absl/status/statusor.h>

#include <span>
#include <string_view>

#include "fs/mount/options.h"

namespace scidfs::fs {

struct CommandLine {
  enum class Action { Mount, Check, Help, Version, Pretend };
  Action action = Action::Mount;
  // Set if the action is Mount; only source, library and sandbox if it is Check.
  MountOptions mount;
  bool verbose = false;  // of a check: print everything that it finds
};

// `arguments` are those after the name of the program. Any error is InvalidArgument and one line
// that says what is wrong with which word.
absl::StatusOr<CommandLine> parse_command_line(std::span<const char* const> arguments);

// Whether the program was started as a helper of mount(8): by a name like /sbin/mount.scidfs or
// /sbin/mount.fuse.scidfs.
bool is_mount_helper(std::string_view called_as);

// The same for what mount(8) says to its helpers (there: EXTERNAL HELPERS): SOURCE MOUNTPOINT
// [-sfnv] [-N NAMESPACE] [-o OPTIONS] [-t TYPE]. -f is a mount that is only tried, the action
// Pretend; with -s an option that nobody knows is no error.
absl::StatusOr<CommandLine> parse_helper_line(std::span<const char* const> arguments);

}  // namespace scidfs::fs
