// Runs fusermount3, which mounts and unmounts for users other than root, or fusermount of FUSE 2.
#pragma once

#include <span>
#include <string>

#include "fs/file/descriptor.h"

namespace scidfs::fs {

// Returns the path of a program in $PATH or the usual folders; empty if it is in none.
std::string find_program(const char* name);

// Returns the path of fusermount3, else that of fusermount; empty if there is neither.
std::string find_fusermount();

// Runs it with some arguments. Returns whether it succeeded; it says on stderr why not.
bool run_fusermount(std::span<const char* const> arguments);

// Mounts on a folder, with `options` as one argument of -o, by fusermount, which libfuse 3 does not
// know. Returns the connection to the kernel; none if that failed, and it has said on stderr why.
// REQUIRES: no other thread is running.
Descriptor mount_by_fusermount(const char* folder, const std::string& options);

}  // namespace scidfs::fs
