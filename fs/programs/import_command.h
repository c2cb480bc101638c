// The command line of scidfs-import.
#pragma once

#include <absl/status/statusor.h>

#include <span>

#include "fs/import/import.h"
#include "fs/sandbox/sandbox.h"

namespace scidfs::fs {

struct ImportCommand {
  enum class Action { Import, Help, Version };
  Action action = Action::Import;
  ImportOptions options;
  SandboxMode sandbox = SandboxMode::Auto;
};

// Parses the words after the name of the program. Any error is InvalidArgument and one line that
// names the word and the fault.
absl::StatusOr<ImportCommand> parse_import_command(std::span<const char* const> arguments);

}  // namespace scidfs::fs
