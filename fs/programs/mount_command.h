// The command line of scidfs, also when mount(8) calls it.
#pragma once

#include <absl/status/statusor.h>

#include <span>
#include <string_view>

#include "fs/options/mount_options.h"
#include "fs/programs/command_line.h"

namespace scidfs::fs {

struct CommandLine {
  enum class Action { Mount, Check, Pretend, Unmount, Explain };
  Asked asked = Asked::Work;
  Action action = Action::Mount;
  // Set if the action is Mount, where an empty mount point is to be chosen (fs/mount/own_place.h);
  // only source, library and sandbox if it is Check; only source, for what is to be unmounted, if
  // it is Unmount.
  MountOptions mount;
  bool verbose = false;  // for a check: print all findings
};

// Parses the words after the name of the program. Without any the action is Explain. Any error is
// InvalidArgument and one line that names the word and the fault.
absl::StatusOr<CommandLine> parse_command_line(std::span<const char* const> arguments);

// Returns whether the program was started as a helper of mount(8): by a name like
// /sbin/mount.scidfs or /sbin/mount.fuse.scidfs.
bool is_mount_helper(std::string_view called_as);

// Parses the arguments that mount(8) passes to its helpers (there: EXTERNAL HELPERS): SOURCE
// MOUNTPOINT [-sfnv] [-N NAMESPACE] [-o OPTIONS] [-t TYPE]. -f only simulates a mount (the action
// Pretend); with -s unknown options are no error.
absl::StatusOr<CommandLine> parse_helper_line(std::span<const char* const> arguments);

}  // namespace scidfs::fs
