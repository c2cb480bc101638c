// seccomp: the kernel refuses a process every system call but those of a program that reads and
// writes files. Made with libseccomp, for every architecture that it knows.
#pragma once

#include <absl/status/status.h>

namespace scidfs::fs {

// What a forbidden call comes to.
enum class Forbidden {
  Refused,  // it fails with EPERM; one forgotten here costs an error message, never the mount
  Fatal,    // the process ends by SIGSYS
};

// Whether kernel and library can filter.
bool has_syscall_filter();

// From now on the threads of this process can read and write files, wait for each other and start
// and end; but start no program or process, open no connection, make no memory executable, send no
// signal to others, nor have the kernel send one. With `writes_files` they may give files of theirs
// a second name, and modes. Calls newer than the list "do not exist" (ENOSYS), so that a C library
// that tries them takes the older way. For good.
// REQUIRES: has_syscall_filter(); no_new_privs is set; no other thread.
absl::Status confine_syscalls(Forbidden forbidden, bool writes_files);

}  // namespace scidfs::fs
