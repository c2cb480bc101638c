// Runs fusermount3, which mounts and unmounts for users other than root.
#pragma once

#include <span>
#include <string>

namespace scidfs::fs {

// Returns the path of a program in $PATH or the usual folders; empty if it is in none.
std::string find_program(const char* name);

// Runs fusermount3 with some arguments. Returns whether it succeeded; it says on stderr why not.
bool run_fusermount(std::span<const char* const> arguments);

}  // namespace scidfs::fs
