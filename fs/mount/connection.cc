#include "fs/mount/connection.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace scidfs::fs {
namespace {

// Whether the next reply of this thread is the one to FUSE_INIT and needs the flag.
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

// Returns another descriptor of the connection, with a queue of its own, or -1. The sandbox allows
// opening the device.
[[maybe_unused]] int clone_connection(int connection) {
  const int clone = ::open("/dev/fuse", O_RDWR | O_CLOEXEC);
  auto of = static_cast<std::uint32_t>(connection);
  if (clone < 0 || ::ioctl(clone, FUSE_DEV_IOC_CLONE, &of) == 0) return clone;
  ::close(clone);
  return -1;
}

// libfuse 3.17 clones a connection by a function of the caller; older versions do so themselves.
template <class Io>
int give(fuse_session* session, Io& io, int connection) {
  if constexpr (requires { io.clone_fd; }) {
    io.clone_fd = clone_connection;
    return fuse_session_custom_io_317(session, &io, sizeof io, connection);
  } else {
    return fuse_session_custom_io(session, &io, connection);
  }
}

}  // namespace

bool attach(fuse_session* session, int connection) {
  fuse_custom_io io{};
  io.writev = send;
  io.read = receive;
  return give(session, io, connection) == 0;
}

void ask_for_parallel_lookups(fuse_conn_info* connection) {
  is_init_next = (connection->capable & FUSE_CAP_PARALLEL_DIROPS) != 0;
}

}  // namespace scidfs::fs
