#include "fs/mount/guardian.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUSE_USE_VERSION 35
#include <fuse3/fuse.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "fs/base/log.h"
#include "fs/file/socket_message.h"
#include "fs/mount/confinement.h"
#include "fs/mount/fusermount.h"
#include "fs/mount/libfuse.h"
#include "fs/mount/mount_place.h"
#include "fs/mount/mountpoint.h"
#include "fs/options/advice.h"
#include "fs/sandbox/privileges.h"

namespace scidfs::fs {
namespace {

constexpr char kMountNow = 'm';
constexpr char kMounted = 'o';
constexpr char kFailed = 'f';  // followed by the reason
constexpr const char* kMoved = "it has been moved or replaced meanwhile";

absl::Status guardian_failure(const char* what) {
  return absl::InternalError(
      fmt::format("Cannot {}: {}", what, std::generic_category().message(errno)));
}

// Returns whether the file system of a connection still exists.
bool is_alive(int connection) {
  pollfd asked{.fd = connection, .events = POLLIN, .revents = 0};
  return ::poll(&asked, 1, 0) >= 0 && (asked.revents & POLLERR) == 0;
}

// Aborts a connection. All requests of the kernel fail, including those that a thread of the daemon
// waits for, which cannot be killed before. Root may unmount by force; others may abort through
// sysfs where that is mounted.
void end_connection(const Descriptor& mounted, dev_t device) {
  if (detach(mounted, true)) return;
  const std::string abort = fmt::format("/sys/fs/fuse/connections/{}/abort", ::minor(device));
  const int file = ::open(abort.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (::write(file, "1", 1) != 1) {
    log_warning(fmt::format("Cannot end {}: {}", abort, std::generic_category().message(errno)));
  }
  ::close(file);
}

// Unmounts what has this device and connection, if it is still at its place. Returns false if it
// stays there.
bool end_mount(const MountPlace& place, dev_t device, int connection) {
  // Where the mount has gone, opening could have autofs make a new one.
  if (place.device() != device) return true;
  // Opened only now, since an open folder keeps others from unmounting.
  const Descriptor mounted = place.open();
  if (device_of(mounted.get()) != device || !is_alive(connection)) return true;
  end_connection(mounted, device);
  return place.device() != device || unmount_lazily(place, mounted);
}

// Makes the kernel report the end of the daemon's first thread, which started the guardian and
// lives as long as the daemon. Returns a descriptor that becomes readable then, or -1.
//
// The socket is not enough: a thread that waits in the kernel for an answer of dead threads cannot
// be killed and keeps the socket open until the connection is aborted.
int watch_first_thread() {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::prctl(PR_SET_PDEATHSIG, SIGUSR1);
  return ::signalfd(-1, &signals, SFD_CLOEXEC);
}

// Waits for the next byte of the daemon. Returns false if the daemon has ended.
bool hears(int socket) {
  char byte = 0;
  ssize_t got = 0;
  do {
    got = ::recv(socket, &byte, 1, 0);
  } while (got < 0 && errno == EINTR);
  return got == 1 && byte == kMountNow;
}

// Returns when the daemon has ended. `first_thread`: the result of watch_first_thread().
void await_end(int socket, int first_thread) {
  std::array<pollfd, 2> asked{{{.fd = socket, .events = POLLIN, .revents = 0},
                               {.fd = first_thread, .events = POLLIN, .revents = 0}}};
  for (;;) {
    if (::poll(asked.data(), asked.size(), -1) < 0) continue;
    if (asked[1].revents != 0 || !hears(socket)) return;
  }
}

// Protects the guardian from signals of the terminal and to the daemon's process group until its
// work is done, leaves the working folder, which could otherwise not be unmounted, and closes what
// it does not need.
void stand_aside(std::array<int, 3> needed) {
  ::prctl(PR_SET_NAME, "scidfs-guardian");
  if (::chdir("/") != 0) ::_exit(1);
  std::ranges::sort(needed);
  int from = STDERR_FILENO + 1;
  for (const int descriptor : needed) {
    if (descriptor > from) {
      ::close_range(static_cast<unsigned>(from), static_cast<unsigned>(descriptor - 1), 0);
    }
    from = descriptor + 1;
  }
  ::closefrom(from);
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_IGN);
}

// Closes the terminal and pipes, and drops capabilities that are only for mounting.
void become_small() {
  if (const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0) {
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, standard);
    ::close(null);
  }
  // Root unmounts with these, also below folders without access rights.
  constexpr std::array<unsigned, 2> kCapabilities = {CAP_SYS_ADMIN, CAP_DAC_READ_SEARCH};
  // If dropping fails, the guardian keeps its capabilities.
  static_cast<void>(keep_capabilities(kCapabilities));
}

// Mounts on the folder of a place. Returns the connection, or -1 and the reason.
int mount_on(const MountPlace& place, const MountOptions& options, std::string& why) {
  const bool is_root = ::geteuid() == 0;
  const auto refused = [&why](int error) {
    why = std::generic_category().message(error);
    return -1;
  };
  // libfuse would have fusermount3 mount instead, which resolves the name again, and as root
  // examines nothing.
  if (is_root && !has_capability(CAP_SYS_ADMIN)) return refused(EPERM);
  if (!place.has_folder()) {
    why = kMoved;
    return -1;
  }
  // The folder that was examined is mounted on, even if another has its name now.
  if (::fchdir(place.folder()) != 0) return refused(errno);
  const FuseComplaints complaints;
  const std::string words = join_fuse_options(options.fuse_options);
  const bool by_forerunner = !is_root && find_program("fusermount3").empty();
  const int connection = by_forerunner ? mount_by_fusermount(".", words).release()
                                       : fuse_open_channel(".", words.c_str());
  if (::chdir("/") != 0) ::_exit(1);
  if (connection >= 0) return connection;
  // fusermount3, which mounts for all users except root, has printed its own error.
  why = complaints.text().empty() ? "fusermount3 refused" : complaints.text();
  if (!is_root) why += apparmor_advice(place.path());
  return -1;
}

[[noreturn]] void leave(const MountPlace& place, int code) {
  place.remove_made();
  ::_exit(code);
}

[[noreturn]] void guard(int socket, const MountOptions& options, MountPlace place) {
  stand_aside({socket, place.parent(), place.folder()});
  if (!hears(socket)) leave(place, 0);
  // The kernel admits the user for whom the mount is made; for libfuse this is the real user ID.
  if (const auto& user = options.run_as;
      user && (::setresgid(user->gid, 0, 0) != 0 || ::setresuid(user->uid, 0, 0) != 0)) {
    send_message(socket, kFailed + std::generic_category().message(errno), -1);
    leave(place, 0);
  }
  std::string why;
  const int connection = mount_on(place, options, why);
  if (connection < 0) {
    why += confinement_advice(confinement(), ::geteuid() == 0);
    send_message(socket, kFailed + why, -1);
    leave(place, 0);
  }
  // Kept open: while the connection lives, no other file system can have its device number.
  ::fcntl(connection, F_SETFD, FD_CLOEXEC);
  const std::optional<dev_t> device = place.device();
  if (!device || device == device_of(place.folder())) {
    send_message(socket, std::string{kFailed} + kMoved, -1);
    leave(place, 0);
  }
  place.release_folder();
  // Not before: the process group of autofs, such as systemd, is the only one that may look at a
  // place while autofs waits for the mount there.
  ::setsid();
  // Before the daemon can do anything. Dropping capabilities does not reset this setting; a change
  // of user would.
  const int first_thread = watch_first_thread();
  // If it fails, the next read notices that the daemon has ended.
  send_message(socket, {&kMounted, 1}, connection);
  become_small();
  await_end(socket, first_thread);
  const bool is_gone = end_mount(place, *device, connection);
  // The waiting requests fail only now: a program that sees them fail finds the mount gone, and
  // does not unmount a newer mount at the same place.
  ::close(connection);
  leave(place, is_gone ? 0 : 1);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Guardian>> Guardian::start(const MountOptions& options,
                                                          MountPlace place) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return guardian_failure("talk to a guardian");
  }
  const pid_t process = ::fork();
  if (process < 0) {
    absl::Status status = guardian_failure("start a guardian");
    for (const int end : ends) ::close(end);
    return status;
  }
  if (process == 0) {
    guard(ends[1], options, std::move(place));
  }
  ::close(ends[1]);
  return std::unique_ptr<Guardian>(new Guardian(ends[0], process, place.path()));
}

Guardian::Guardian(int socket, pid_t process, std::filesystem::path mountpoint)
    : socket_(socket), process_(process), mountpoint_(std::move(mountpoint)) {}

Guardian::~Guardian() { unmount(); }

absl::StatusOr<int> Guardian::mount() {
  assert(socket_ >= 0);
  const auto cannot = [this](std::string_view why) {
    return absl::InternalError(fmt::format("Cannot mount on {}: {}", mountpoint_.string(), why));
  };
  if (::send(socket_, &kMountNow, 1, MSG_NOSIGNAL) != 1) return cannot("its guardian has ended");
  SocketMessage reply = receive_message(socket_);
  if (reply.descriptor.ok()) return reply.descriptor.release();
  if (reply.text.empty()) return cannot("its guardian has ended");
  return cannot(std::string_view(reply.text).substr(1));
}

void Guardian::unmount() {
  if (socket_ < 0) return;
  ::close(std::exchange(socket_, -1));
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    log_warning(
        fmt::format("Cannot unmount {0}. Run: fusermount3 -u -z {0}", mountpoint_.string()));
  }
}

}  // namespace scidfs::fs
