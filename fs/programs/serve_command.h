// The command line of scidfs-serve.
#pragma once

#include <absl/status/statusor.h>

#include <span>
#include <string>

#include "fs/options/mount_options.h"
#include "fs/programs/command_line.h"

namespace scidfs::fs {

struct ServeCommand {
  Asked asked = Asked::Work;
  MountOptions options;  // without mount point
  // As typed; empty: not given.
  std::string listen;  // parse_listen_address()
  std::string base;    // parse_target()
  std::string proxy;   // parse_client()
  bool opens_browser = false;
};

// Parses the words after the name of the program. Any error is InvalidArgument and one line that
// names the word and the fault.
absl::StatusOr<ServeCommand> parse_serve_command(std::span<const char* const> words);

}  // namespace scidfs::fs
