// Landlock: the kernel denies a process every file except those named before.
//
// This code is our own: Debian 12 has no library for Landlock, and its three system calls need
// none.
#pragma once

#include <absl/status/status.h>

#include "fs/sandbox/open_paths.h"

namespace scidfs::fs {

// Returns the version of the kernel's Landlock; 0 if it has none, or denies it to us.
int landlock_version();

// Keeps this process and all that it starts from opening other files, mounting and running
// programs, permanently. As far as the kernel supports it, also from TCP (version 4), ioctl of
// other devices (5), abstract sockets of others and, `with_signals`, signals to others (6). Open
// files stay open. REQUIRES: landlock_version() > 0; no_new_privs is set; no other thread.
//
// Signals include the one that the kernel sends to a child when the thread that started it ends:
// the guardian waits for it (fs/mount/guardian.h).
absl::Status confine_files(const OpenPaths& paths, bool with_signals);

}  // namespace scidfs::fs
