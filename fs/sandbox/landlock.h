// Landlock: the kernel refuses a process every file but those it has named before.
//
// There is no library for it in Debian 12, and its three system calls need none: so this is our
// own.
#pragma once

#include <absl/status/status.h>

#include "fs/sandbox/open_paths.h"

namespace scidfs::fs {

// The version of the kernel's Landlock; 0 if it has none, or none for us.
int landlock_version();

// From now on this process and all it starts can open no other files, make no mount, run no
// program; and as far as the kernel knows how: no TCP (version 4), no ioctl of other devices (5),
// no abstract sockets of others and, `with_signals`, no signals to them (6). What is open stays
// open. For good. REQUIRES: landlock_version() > 0; no_new_privs is set; no other thread.
//
// Signals include the one that the kernel sends to a child when the thread ends that started it:
// the guardian waits for that (fs/mount/guardian.h).
absl::Status confine_files(const OpenPaths& paths, bool with_signals);

}  // namespace scidfs::fs
