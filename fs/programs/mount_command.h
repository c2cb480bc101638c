// The command line of scidfs.
#pragma once

#include <absl/status/statusor.h>

#include <span>
#include <string>

#include "fs/mount/options.h"

namespace scidfs::fs {

struct CommandLine {
  enum class Action { Mount, Check, Help, Version };
  Action action = Action::Mount;
  // Set if the action is Mount; only source, library and sandbox if it is Check.
  MountOptions mount;
  bool verbose = false;  // of a check: print everything that it finds
};

// `arguments` are those after the name of the program. Any error is InvalidArgument and one line
// that says what is wrong with which word.
absl::StatusOr<CommandLine> parse_command_line(std::span<const char* const> arguments);

std::string help_text();

}  // namespace scidfs::fs
