// A program that reads a file of a mount, beside the test.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/mount.h"

namespace scidfs::tests {

// A program that reads a file, possibly forever.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : process_(::fork()) {
    if (process_ != 0) return;
    ::signal(SIGINT, SIG_DFL);  // a shell ignores it for programs in the background
    const int null = ::open("/dev/null", O_RDWR);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(null, standard);
    ::execlp("cat", "cat", file.c_str(), nullptr);
    ::_exit(127);
  }
  // Like Ctrl-C.
  void interrupt() const { send_signal(process_, SIGINT); }
  bool has_ended() {
    if (process_ > 0 && ::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
    return process_ < 0;
  }
  ~Reader() {
    if (has_ended()) return;
    send_signal(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

 private:
  pid_t process_;
};

}  // namespace scidfs::tests
