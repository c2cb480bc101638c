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

// The work of a process, which decides what it needs.
enum class SandboxTask {
  Mount,
  Serve,  // by HTTP what a mount would show
  Read,   // a report, or a table
  Get,    // what a mount would show, with its cache folder
  Write,  // new files
  Copy,   // new files of what a mount would show
};

// Returns whether kernel and library support filters.
bool has_syscall_filter();

// Limits the threads of this process, permanently. They can read and write files, wait for each
// other, start and end. They cannot start a program or process, open a connection, make memory
// executable, send a signal to others, have the kernel send one, or change owner, mode and
// attributes of a file. Only mounts and servers may watch folders, only servers take connections;
// only writers may give files a second name and read attributes. Calls newer than the list fail
// with ENOSYS, so that a C library that tries them falls back to the older ones. REQUIRES:
// has_syscall_filter(); no_new_privs is set; no other thread.
absl::Status confine_syscalls(Forbidden forbidden, SandboxTask task);

}  // namespace scidfs::fs
