// The command line of the daemon.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fs/library/library.h"
#include "fs/sandbox/privileges.h"
#include "fs/sandbox/sandbox.h"

namespace scidfs::fs {

// Everything that a mount is told. Paths are absolute: the daemon leaves its working folder.
struct MountOptions {
  std::filesystem::path source;
  std::filesystem::path mountpoint;

  bool foreground = false;
  bool debug = false;          // libfuse prints every request; implies foreground
  bool single_thread = false;  // one request at a time
  unsigned max_idle_threads = 10;

  std::size_t cache_bytes = std::size_t{64} << 20;
  LibraryOptions library;

  // What every file looks like from outside.
  uid_t uid = 0;
  gid_t gid = 0;
  mode_t file_mode = 0444;
  mode_t directory_mode = 0555;

  SandboxMode sandbox = SandboxMode::Auto;
  // Who the daemon becomes; only root may ask for it.
  std::optional<User> run_as;

  // "name" or "name=value" for libfuse and fusermount3, not escaped.
  std::vector<std::string> fuse_options;
  // Options that are accepted without effect and deserve a word: lines for the log.
  std::vector<std::string> warnings;
};

struct CommandLine {
  enum class Action { Mount, Check, Help, Version };
  Action action = Action::Mount;
  MountOptions mount;    // set if the action is Mount; only `source` and `library` if it is Check
  bool verbose = false;  // of a check: print everything that it finds
};

// `arguments` are those behind the name of the program. Any error is InvalidArgument and one line
// that says what is wrong with which word.
absl::StatusOr<CommandLine> parse_command_line(std::span<const char* const> arguments);

std::string help_text();
std::string version_text();

}  // namespace scidfs::fs
