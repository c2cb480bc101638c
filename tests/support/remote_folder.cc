#include "tests/support/remote_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "tests/support/configuration.h"
#include "tests/support/mount.h"

namespace scidfs::tests {
namespace {

// An upper bound on requests that hang at once, in any test.
constexpr const char* kBackground = "1000";

}  // namespace

RemoteFolder::RemoteFolder(const std::filesystem::path& target, std::filesystem::path mountpoint)
    : mountpoint_(mountpoint.empty() ? folder_ / "mnt" : std::move(mountpoint)) {
  std::filesystem::create_directories(mountpoint_);
  const std::filesystem::path file = folder_ / "control";
  const int control = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (control < 0 || ::ftruncate(control, sizeof(RemoteControl)) != 0) std::abort();
  void* const shared =
      ::mmap(nullptr, sizeof(RemoteControl), PROT_READ | PROT_WRITE, MAP_SHARED, control, 0);
  ::close(control);
  if (shared == MAP_FAILED) std::abort();
  control_ = new (shared) RemoteControl;
  const std::string program = configured("build") + "/tests/remote_fs";
  server_ = ::fork();
  if (server_ == 0) {
    // Undoes the defaults of libfuse.
    if (const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0) {
      ::dup2(null, STDERR_FILENO);
    }
    ::execl(program.c_str(), program.c_str(), target.c_str(), mountpoint_.c_str(), file.c_str(),
            kBackground, static_cast<char*>(nullptr));
    ::_exit(127);
  }
  for (int i = 0; server_ > 0 && i < 4000 && !is_mounted(mountpoint_); ++i) ::usleep(5000);
  if (!is_mounted(mountpoint_)) ADD_FAILURE() << "no far folder";
}

RemoteFolder::~RemoteFolder() {
  go_on();
  if (server_ > 0) {
    ::kill(server_, SIGKILL);
    ::waitpid(server_, nullptr, 0);
  }
  run("fusermount3 -u -z " + shell_word(mountpoint_.string()));
  ::munmap(control_, sizeof(RemoteControl));
}

void RemoteFolder::hang_reads(std::string_view name) {
  control_->hang = RemoteControl::kNothing;
  control_->name.fill('\0');
  std::copy(name.begin(), name.end(), control_->name.begin());
  control_->hang = RemoteControl::kReads;
}

}  // namespace scidfs::tests
