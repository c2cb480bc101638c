// What shells offer when somebody presses TAB after the name of a program.
#pragma once

#include <string>

#include "fs/programs/manual.h"

namespace scidfs::fs {

// A script each: for bash with its bash-completion, for zsh (#compdef) and for fish. They offer
// options, words that an option can take, files where it wants one, and after -o the options of a
// list, separated by commas.
std::string bash_completion(const Manual& manual);
std::string zsh_completion(const Manual& manual);
std::string fish_completion(const Manual& manual);

}  // namespace scidfs::fs
