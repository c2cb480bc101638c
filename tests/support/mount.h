// A real mount for a test, made by the built daemon and examined with real tools.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace scidfs::tests {

// The result of a command.
struct Outcome {
  int exit_code = -1;  // 128 and more: ended by a signal, as in a shell; 124: timed out
  std::string out;
  std::string errors;
};

// Runs a shell command for at most `seconds`.
Outcome run(const std::string& command, unsigned seconds = 60);
// The same; fails the test unless the command succeeds. Returns its output.
std::string run_ok(const std::string& command, unsigned seconds = 60);

// 'text' as one word of a shell command.
std::string shell_word(std::string_view text);

// kill(2) for one process: fails the test for -1 and 0, the ids of a process that has ended, which
// would mean all processes of this user or of this group.
void send_signal(pid_t process, int signal);

// The path of a program of this build: scidfs, scidfs-book, scidfs-pack. If SCIDFS_PROGRAMS names a
// folder, its programs are used instead: tests that were built once can examine several builds.
std::filesystem::path program(std::string_view name);
// The path of the daemon.
std::string scidfs_binary();
// True if the programs are built with a sanitizer, which uses time, memory and descriptors: those
// of this build, or of another one if SCIDFS_SANITIZED is set.
bool is_sanitized();
// True if these programs can be run with sandbox=strict.
bool can_be_strict();

struct MountSetup {
  std::filesystem::path source;
  std::string options = {};               // after -o
  std::filesystem::path cache_home = {};  // XDG_CACHE_HOME; empty: a folder of the mount
  std::vector<std::string> words = {};    // further arguments
  std::string notify_socket = {};         // NOTIFY_SOCKET; empty: not set
  std::filesystem::path mountpoint = {};  // an empty folder; empty: a folder of the mount
};

// One mount. The constructor returns when it is ready; the destructor unmounts and fails the test
// if the daemon crashed, hung, failed or left a report of a sanitizer. After a failure ok() is
// false.
class Mount {
 public:
  explicit Mount(MountSetup setup);
  ~Mount();
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;

  bool ok() const { return ready_; }
  const std::filesystem::path& path() const { return mountpoint_; }
  std::filesystem::path operator/(std::string_view name) const { return mountpoint_ / name; }
  pid_t daemon() const { return daemon_; }
  // The messages of the daemon so far.
  std::string messages() const;

  // Does the work of the destructor, for tests that continue afterwards. Returns the exit code of
  // the daemon.
  int unmount();
  // Waits for the daemon to end. Returns its exit code, -1 if it had to be killed.
  int wait_for_end();

 private:
  bool start(const MountSetup& setup);
  bool wait_until_ready();

  TemporaryFolder folder_;
  std::filesystem::path mountpoint_;
  std::filesystem::path messages_;
  std::string command_;  // to repeat it manually
  pid_t daemon_ = -1;
  bool ready_ = false;
};

// True if the kernel has a FUSE file system mounted exactly here.
bool is_mounted(const std::filesystem::path& path);

// Tests that mount. Skipped with a reason if FUSE is not available; failed if the environment
// requires it (SCIDFS_REQUIRE_FUSE or CI is set).
class MountedTest : public testing::Test {
 protected:
  void SetUp() override;
};

}  // namespace scidfs::tests
