// A real mount for a test, made by the built daemon and looked at with real tools.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace scidfs::tests {

// What a command came to.
struct Outcome {
  int exit_code = -1;  // 128 and more: ended by a signal, as a shell counts; 124: took too long
  std::string out;
  std::string errors;
};

// Runs a line of sh, for at most `seconds`.
Outcome run(const std::string& command, unsigned seconds = 60);
// The same; fails the test unless the command succeeds. Returns what it printed.
std::string run_ok(const std::string& command, unsigned seconds = 60);

// 'text' as one word of sh.
std::string shell_word(std::string_view text);

// kill(2) for one process: fails the test for the -1 and 0 of one that has ended, which would mean
// all processes of this user, or of this group.
void send_signal(pid_t process, int signal);

// The path of a program of this build: scidfs, scidfs-book, scidfs-pack. Where SCIDFS_PROGRAMS
// names a folder, those in it are tried instead: how tests that were built once look at several
// builds.
std::filesystem::path program(std::string_view name);
// That of the daemon.
std::string scidfs_binary();
// Whether a sanitizer watches the programs, which costs them time, memory and descriptors: of this
// build, or of the other one where SCIDFS_SANITIZED is set.
bool is_sanitized();
// Whether these programs can be run with sandbox=strict.
bool can_be_strict();

struct MountSetup {
  std::filesystem::path source;
  std::string options = {};               // as after -o
  std::filesystem::path cache_home = {};  // XDG_CACHE_HOME; empty: one of the mount's own
  std::vector<std::string> words = {};    // further words of the command line
  std::string notify_socket = {};         // NOTIFY_SOCKET; empty: not set
  std::filesystem::path mountpoint = {};  // an empty folder; empty: one of the mount's own
};

// One mount. The constructor returns when it is ready; the destructor unmounts and fails the test
// if the daemon crashed, hung, ended badly or left a sanitizer's report. After a failure ok() is
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
  // What the daemon has said so far.
  std::string messages() const;

  // What the destructor does, for tests that go on afterwards. Returns the daemon's exit code.
  int unmount();
  // Waits for the daemon to end by itself. Returns its exit code, -1 if it had to be killed.
  int wait_for_end();

 private:
  bool start(const MountSetup& setup);
  bool wait_until_ready();

  TemporaryFolder folder_;
  std::filesystem::path mountpoint_;
  std::filesystem::path messages_;
  std::string command_;  // to repeat it by hand
  pid_t daemon_ = -1;
  bool ready_ = false;
};

// Whether the kernel has a FUSE file system mounted exactly here.
bool is_mounted(const std::filesystem::path& path);

// Tests that mount. Skipped with a reason where there is no FUSE; failed instead where the
// environment says that it must be (SCIDFS_REQUIRE_FUSE or CI set).
class MountedTest : public testing::Test {
 protected:
  void SetUp() override;
};

}  // namespace scidfs::tests
