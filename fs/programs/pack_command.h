// The command line of scidfs-pack.
#pragma once

#include <absl/status/statusor.h>

#include <span>
#include <string>

#include "fs/build/pack.h"
#include "fs/sandbox/sandbox.h"

namespace scidfs::fs {

struct PackCommand {
  enum class Action { Pack, Help, Version };
  Action action = Action::Pack;
  PackOptions options;
  SandboxMode sandbox = SandboxMode::Auto;
};

// Parses the words after the name of the program. Any error is InvalidArgument and one line that
// names the word and the fault.
absl::StatusOr<PackCommand> parse_pack_command(std::span<const char* const> arguments);

}  // namespace scidfs::fs
