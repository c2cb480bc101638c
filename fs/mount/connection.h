// The connection between libfuse and the kernel.
#pragma once

#define FUSE_USE_VERSION 35
#include <fuse3/fuse_lowlevel.h>

namespace scidfs::fs {

// Gives a session its connection, which the session closes at its end. Returns false if the session
// cannot take it; the caller still owns the connection then.
bool attach(fuse_session* session, int connection);

// Lets the kernel look up several names of one directory at once. Otherwise a process that waits
// for the size of a file keeps all others out of the directory, and they cannot even be
// interrupted. libfuse accepts FUSE_CAP_PARALLEL_DIROPS but does not pass it on before version
// 3.17. Called by init(), on the thread that replies to it.
void ask_for_parallel_lookups(fuse_conn_info* connection);

}  // namespace scidfs::fs
