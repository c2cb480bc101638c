// seccomp: the kernel denies a process every system call except those of a program that reads and
// writes files. Uses libseccomp, for every architecture that it supports.
#pragma once

#include <absl/status/status.h>

namespace scidfs::fs {

// The result of a forbidden call.
enum class Forbidden {
  Refused,  // it fails with EPERM; a gap in the list costs an error message, never the mount
  Fatal,    // the process ends by SIGSYS
};

// Returns whether kernel and library support filters.
bool has_syscall_filter();

// Limits the threads of this process, permanently. They can read and write files, wait for each
// other, start and end. They cannot start a program or process, open a connection, make memory
// executable, send a signal to others, or have the kernel send one. With `writes_files` they may
// give their files a second name, and modes. Calls newer than the list fail with ENOSYS, so that a
// C library that tries them falls back to the older ones. REQUIRES: has_syscall_filter();
// no_new_privs is set; no other thread.
absl::Status confine_syscalls(Forbidden forbidden, bool writes_files);

}  // namespace scidfs::fs
