// What goes between libfuse and the kernel.
#pragma once

#define FUSE_USE_VERSION 35
#include <fuse3/fuse_lowlevel.h>

namespace scidfs::fs {

// Gives a session its connection, which it closes at its end. False if it cannot take it; then the
// connection is still the caller's.
bool attach(fuse_session* session, int connection);

// Lets the kernel ask about several names of one directory at once. Without it, whoever waits for
// the size of a file keeps all others out of its directory, and they cannot even be interrupted.
// libfuse takes the wish (FUSE_CAP_PARALLEL_DIROPS) but before 3.17 does not hand it on. To be
// called by init(), on the thread that answers it.
void ask_for_parallel_lookups(fuse_conn_info* connection);

}  // namespace scidfs::fs
