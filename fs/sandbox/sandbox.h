// The sandbox: limits the damage if a database takes a program over.
//
// In it a process can only read the files it shows, write one folder and answer the kernel's
// requests. Landlock (landlock.h) denies it other files, seccomp (syscall_filter.h) other system
// calls, and no_new_privs with the dropped capabilities all help from outside. README.md in this
// folder says what stays open.
#pragma once

#include <absl/status/status.h>

#include "fs/sandbox/open_paths.h"

namespace scidfs::fs {

enum class SandboxMode {
  Auto,    // what the kernel supports; logs what is missing
  Strict,  // everything or no start, and a forbidden system call ends the process
  Off,
};

struct SandboxOptions {
  SandboxMode mode = SandboxMode::Auto;
  OpenPaths paths{};  // in addition to the few that every program needs
  // None: a mount.
  bool writes_files = false;  // creates new files that others read
  bool only_reads = false;
  bool serves = false;  // answers on a socket that listens already; keeps a cache
  // In addition to one of these: maps files of a cache folder, as a mount does.
  bool keeps_cache = false;
};

// Returns whether this kernel and this build support everything. Always false in a build with a
// sanitizer, which needs much more of the system than the program does.
bool can_lock_the_door();

// Locks the process in, permanently. Errors: Strict requires something that is missing, or the
// kernel refuses something that it supports. REQUIRES: no other thread is running.
absl::Status lock_the_door(const SandboxOptions& options);

}  // namespace scidfs::fs
