// Makes the scripts by which shells complete a command line.
#pragma once

#include <string>

#include "fs/programs/manual.h"

namespace scidfs::fs {

// Returns a script: for bash with its bash-completion, for zsh (#compdef) or for fish. It offers
// options, the words that an option takes, files where it expects one, and after -o the options of
// a list, separated by commas.
std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);

}  // namespace scidfs::fs
