#include "fs/mount/connection.h"

#include <linux/fuse.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstddef>
#include <utility>

namespace scidfs::fs {
namespace {

// Whether the next reply of this thread is that to FUSE_INIT, and is to have the flag.
thread_local bool is_init_next = false;

ssize_t send(int connection, iovec* pieces, int count, void* /*session*/) {
  constexpr std::size_t kWithFlags = offsetof(fuse_init_out, flags) + sizeof(fuse_init_out::flags);
  if (std::exchange(is_init_next, false) && count == 2 && pieces[1].iov_len >= kWithFlags) {
    static_cast<fuse_init_out*>(pieces[1].iov_base)->flags |= FUSE_PARALLEL_DIROPS;
  }
  return ::writev(connection, pieces, count);
}

ssize_t receive(int connection, void* buffer, std::size_t size, void* /*session*/) {
  return ::read(connection, buffer, size);
}

}  // namespace

bool attach(fuse_session* session, int connection) {
  fuse_custom_io io{};
  io.writev = send;
  io.read = receive;
  return fuse_session_custom_io(session, &io, connection) == 0;
}

void ask_for_parallel_lookups(fuse_conn_info* connection) {
  is_init_next = (connection->capable & FUSE_CAP_PARALLEL_DIROPS) != 0;
}

}  // namespace scidfs::fs
