// The sandbox: what a program can still do if a database takes it over.
//
// In it a process reads what it is to show, writes one folder, answers the kernel's requests, and
// nothing else: Landlock (landlock.h) keeps files from it, seccomp (syscall_filter.h) system calls,
// no_new_privs and the lost capabilities all help from outside. README.md in this folder says what
// stays open.
#pragma once

#include <absl/status/status.h>

#include "fs/sandbox/open_paths.h"

namespace scidfs::fs {

enum class SandboxMode {
  Auto,    // what the kernel can do; a line in the log if something is missing
  Strict,  // all of it or nothing is begun, and a forbidden system call ends the process
  Off,
};

struct SandboxOptions {
  SandboxMode mode = SandboxMode::Auto;
  OpenPaths paths{};          // besides the few that every program needs
  bool writes_files = false;  // puts new files in place that others are to read
};

// Whether this kernel and this build can do all. Never in a build with a sanitizer, which asks much
// more of the system than the program does.
bool can_lock_the_door();

// Locks the process in, for good. Errors: Strict wants what is not there, or the kernel refuses
// what it offers. REQUIRES: no other thread is running.
absl::Status lock_the_door(const SandboxOptions& options);

}  // namespace scidfs::fs
