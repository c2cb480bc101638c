// seccomp: the kernel refuses a process every system call but those of a daemon that serves files.
#pragma once

#include <absl/status/status.h>

namespace scidfs::fs {

// What a forbidden call comes to.
enum class Forbidden {
  Refused,  // it fails with EPERM; one forgotten here costs an error message, never the mount
  Fatal,    // the process ends by SIGSYS
};

// Whether there is a filter for this machine.
bool has_syscall_filter();

// From now on the threads of this process can read and write files, wait for each other and start
// and end; but start no program or process, open no connection, make no memory executable, send no
// signal to others. Calls newer than the list "do not exist" (ENOSYS), so that a C library that
// tries them takes the older way. For good.
// REQUIRES: has_syscall_filter(); no_new_privs is set; no other thread.
absl::Status confine_syscalls(Forbidden forbidden);

}  // namespace scidfs::fs
