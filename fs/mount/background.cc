#include "fs/mount/background.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "fs/base/exit_code.h"
#include "fs/base/log.h"

namespace scidfs::fs {
namespace {

absl::Status background_failure(const char* what) {
  return absl::InternalError(fmt::format("Cannot go into the background: {}: {}", what,
                                         std::generic_category().message(errno)));
}

// Ends the parent when the child is ready or has ended. Uses _exit: the child cleans up what it has
// inherited.
[[noreturn]] void wait_for(pid_t child, int pipe) {
  char byte = 0;
  ssize_t got = 0;
  do {
    got = ::read(pipe, &byte, 1);
  } while (got < 0 && errno == EINTR);
  if (got == 1) _exit(static_cast<int>(ExitCode::Good));

  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) _exit(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) {
    log_error(fmt::format("the daemon was ended by signal {} before the mount was ready",
                          WTERMSIG(status)));
  } else {
    log_error("unmounted before the mount was ready");
  }
  _exit(static_cast<int>(ExitCode::Failed));
}

}  // namespace

absl::StatusOr<Background> Background::enter() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return background_failure("pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    absl::Status status = background_failure("fork");
    ::close(ends[0]);
    ::close(ends[1]);
    return status;
  }
  if (child > 0) {
    ::close(ends[1]);
    wait_for(child, ends[0]);
  }
  ::close(ends[0]);
  open_syslog();
  Background background(ends[1], parent);
  background.end_with_parent();
  return background;
}

Background::Background(Background&& other) noexcept
    : pipe_(std::exchange(other.pipe_, -1)), parent_(other.parent_) {}

Background::~Background() {
  if (pipe_ >= 0) ::close(pipe_);
}

// If the parent is killed while the daemon still reads the databases, the daemon ends too.
void Background::end_with_parent() const {
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent_) ::_exit(static_cast<int>(ExitCode::Failed));
}

void Background::outlive_parent() { ::prctl(PR_SET_PDEATHSIG, 0); }

void Background::ready() {
  assert(pipe_ >= 0);
  if (pipe_ < 0) return;
  ::setsid();
  // All paths are absolute now. The daemon must not keep a folder from being unmounted.
  if (::chdir("/") != 0)
    log_warning(fmt::format("Cannot go to /: {}", std::generic_category().message(errno)));
  log_to_syslog();
  if (const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC); null >= 0) {
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, standard);
    if (null > STDERR_FILENO) ::close(null);
  }
  const char byte = 1;
  while (::write(pipe_, &byte, 1) < 0 && errno == EINTR) {
  }
  ::close(std::exchange(pipe_, -1));
}

}  // namespace scidfs::fs
