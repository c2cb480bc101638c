// The command line of scidfs-get.
#pragma once

#include <absl/status/statusor.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "fs/get/copy.h"
#include "fs/options/mount_options.h"
#include "fs/programs/command_line.h"

namespace scidfs::fs {

struct GetCommand {
  enum class Action { List, Print, Copy, Site };
  Asked asked = Asked::Work;
  Action action = Action::List;
  MountOptions options;  // without mount point
  std::vector<std::string> paths;
  std::filesystem::path target;  // the folder to copy to
  bool is_long = false;
  bool marks_directories = false;
  bool is_recursive = false;
  CopyOptions copy;
};

// Parses the words after the name of the program. Any error is InvalidArgument and one line that
// names the word and the fault.
absl::StatusOr<GetCommand> parse_get_command(std::span<const char* const> words);

}  // namespace scidfs::fs
