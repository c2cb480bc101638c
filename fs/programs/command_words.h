// The commands of scidfs: a first word that names one of its programs.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fs/base/exit_code.h"

namespace scidfs::fs {

// Replaces this process by the program that the first word names: "serve" is scidfs-serve, from the
// folder of this program or, if it is not there, from $PATH. Sets `words` to the words that scidfs
// itself understands: without "mount", with --check for "check", else unchanged. Returns the exit
// code if the program could not be started, and says why. A folder of such a name is "./serve".
std::optional<ExitCode> follow_command(std::span<const char* const> arguments,
                                       std::vector<const char*>& words);

}  // namespace scidfs::fs
