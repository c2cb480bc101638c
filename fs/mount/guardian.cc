#include "fs/mount/guardian.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUSE_USE_VERSION 35
#include <fuse3/fuse.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "fs/base/log.h"
#include "fs/mount/advice.h"
#include "fs/mount/confinement.h"
#include "fs/mount/libfuse.h"
#include "fs/mount/mountpoint.h"
#include "fs/sandbox/privileges.h"

namespace scidfs::fs {
namespace {

// The guardian closes all descriptors except this one and the three standard ones.
constexpr int kSocket = 3;
constexpr char kMountNow = 'm';
constexpr char kMounted = 'o';
constexpr char kFailed = 'f';             // followed by the reason
constexpr std::size_t kMostText = 16384;  // of a reply: a reason contains paths

absl::Status guardian_failure(const char* what) {
  return absl::InternalError(
      fmt::format("Cannot {}: {}", what, std::generic_category().message(errno)));
}

// Sends a message, with a descriptor unless that is negative.
void send_reply(const std::string& text, int descriptor) {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  iovec piece{const_cast<char*>(text.data()), text.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  }
  // The next read notices that the daemon has ended.
  static_cast<void>(::sendmsg(kSocket, &message, MSG_NOSIGNAL));
}

struct Reply {
  std::string text;     // empty: the guardian has ended
  int descriptor = -1;  // -1: the message had none
};

Reply receive_reply(int socket) {
  std::array<char, kMostText> text{};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  iovec piece{text.data(), text.size()};
  msghdr message{};
  message.msg_iov = &piece;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t got = 0;
  do {
    got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  Reply reply{.text = std::string(text.data(), got > 0 ? static_cast<std::size_t>(got) : 0)};
  const cmsghdr* const header = CMSG_FIRSTHDR(&message);
  if (header != nullptr && header->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&reply.descriptor, CMSG_DATA(header), sizeof(int));
  }
  return reply;
}

// Returns the device number of the file system at a path, without asking that file system. Nothing
// if there is no such path.
std::optional<dev_t> device_of(const std::filesystem::path& path) {
  struct statx attributes {};
  constexpr int kFlags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_STATX_DONT_SYNC;
  if (::statx(AT_FDCWD, path.c_str(), kFlags, 0, &attributes) != 0) return std::nullopt;
  return ::makedev(attributes.stx_dev_major, attributes.stx_dev_minor);
}

// Returns whether the file system of a connection still exists.
bool is_alive(int connection) {
  pollfd asked{.fd = connection, .events = POLLIN, .revents = 0};
  return ::poll(&asked, 1, 0) >= 0 && (asked.revents & POLLERR) == 0;
}

// Aborts a connection. All requests of the kernel fail, including those that a thread of the daemon
// waits for, which cannot be killed before. Root may unmount by force; others may abort through
// sysfs where that is mounted.
void end_connection(const std::filesystem::path& mountpoint, dev_t device) {
  if (::umount2(mountpoint.c_str(), MNT_FORCE | MNT_DETACH | UMOUNT_NOFOLLOW) == 0) return;
  const std::string abort = fmt::format("/sys/fs/fuse/connections/{}/abort", ::minor(device));
  const int file = ::open(abort.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (::write(file, "1", 1) != 1) {
    log_warning(fmt::format("Cannot end {}: {}", abort, std::generic_category().message(errno)));
  }
  ::close(file);
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
bool hears() {
  char byte = 0;
  ssize_t got = 0;
  do {
    got = ::recv(kSocket, &byte, 1, 0);
  } while (got < 0 && errno == EINTR);
  return got == 1 && byte == kMountNow;
}

// Returns when the daemon has ended. `first_thread`: the result of watch_first_thread().
void await_end(int first_thread) {
  std::array<pollfd, 2> asked{{{.fd = kSocket, .events = POLLIN, .revents = 0},
                               {.fd = first_thread, .events = POLLIN, .revents = 0}}};
  for (;;) {
    if (::poll(asked.data(), asked.size(), -1) < 0) continue;
    if (asked[1].revents != 0 || !hears()) return;
  }
}

// Protects the guardian from signals of the terminal and to the daemon's process group until its
// work is done, and leaves the working folder, which could otherwise not be unmounted.
void stand_aside() {
  ::prctl(PR_SET_NAME, "scidfs-guardian");
  ::setsid();
  if (::chdir("/") != 0) ::_exit(1);
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

[[noreturn]] void guard(const MountOptions& options) {
  stand_aside();
  if (!hears()) ::_exit(0);
  // The kernel admits the user for whom the mount is made; for libfuse this is the real user ID.
  if (const auto& user = options.run_as;
      user && (::setresgid(user->gid, 0, 0) != 0 || ::setresuid(user->uid, 0, 0) != 0)) {
    send_reply(kFailed + std::generic_category().message(errno), -1);
    ::_exit(0);
  }
  std::error_code error;
  const std::filesystem::path mountpoint = std::filesystem::canonical(options.mountpoint, error);
  int connection = -1;
  const FuseComplaints complaints;
  if (!error) {
    connection =
        fuse_open_channel(mountpoint.c_str(), join_fuse_options(options.fuse_options).c_str());
  }
  if (connection < 0) {
    std::string why = error ? error.message() : complaints.text();
    // fusermount3, which mounts for all users except root, has printed its own error.
    if (why.empty()) why = "fusermount3 refused";
    const bool is_root = ::geteuid() == 0;
    if (!error && !is_root) why += apparmor_advice(mountpoint);
    if (!error) why += confinement_advice(confinement(), is_root);
    send_reply(kFailed + why, -1);
    ::_exit(0);
  }
  // Kept open: while the connection lives, no other file system can have its device number.
  ::fcntl(connection, F_SETFD, FD_CLOEXEC);
  const std::optional<dev_t> device = device_of(mountpoint);
  // Before the daemon can do anything. Dropping capabilities does not reset this setting; a change
  // of user would.
  const int first_thread = watch_first_thread();
  send_reply({kMounted}, connection);
  become_small();
  await_end(first_thread);
  const bool is_ours = device && device_of(mountpoint) == device && is_alive(connection);
  if (is_ours) end_connection(mountpoint, *device);
  const bool is_gone = !is_ours || device_of(mountpoint) != device || unmount_lazily(mountpoint);
  // The waiting requests fail only now: a program that sees them fail finds the mount gone, and
  // does not unmount a newer mount at the same place.
  ::close(connection);
  ::_exit(is_gone ? 0 : 1);
}

}  // namespace

absl::StatusOr<std::unique_ptr<Guardian>> Guardian::start(const MountOptions& options) {
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
    if (ends[1] != kSocket) ::dup3(ends[1], kSocket, O_CLOEXEC);
    ::closefrom(kSocket + 1);
    guard(options);
  }
  ::close(ends[1]);
  return std::unique_ptr<Guardian>(new Guardian(ends[0], process, options.mountpoint));
}

Guardian::Guardian(int socket, pid_t process, std::filesystem::path mountpoint)
    : socket_(socket), process_(process), mountpoint_(std::move(mountpoint)) {}

Guardian::~Guardian() { unmount(); }

absl::StatusOr<int> Guardian::mount() {
  const auto cannot = [this](std::string_view why) {
    return absl::InternalError(fmt::format("Cannot mount on {}: {}", mountpoint_.string(), why));
  };
  if (::send(socket_, &kMountNow, 1, MSG_NOSIGNAL) != 1) return cannot("its guardian has ended");
  const Reply reply = receive_reply(socket_);
  if (reply.descriptor >= 0) return reply.descriptor;
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
