#include "tests/support/mount.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <system_error>
#include <thread>

#include "fs/sandbox/sandbox.h"
#include "tests/support/configuration.h"
#include "tests/support/files.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds kStartLimit{60};
constexpr std::chrono::seconds kEndLimit{20};
constexpr std::chrono::milliseconds kPause{5};
constexpr int kTimedOut = 124;

bool wait_until(std::chrono::seconds limit, const std::function<bool()>& done) {
  for (const auto end = Clock::now() + limit; Clock::now() < end;) {
    if (done()) return true;
    std::this_thread::sleep_for(kPause);
  }
  return done();
}

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Starts a program with stdout and stderr in files and an empty stdin.
pid_t start_program(const std::vector<std::string>& words, const filesystem::path& out,
                    const filesystem::path& errors, const std::string& cache_home,
                    const std::string& notify_socket = {}) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  const auto redirect = [](const char* path, int flags, int to) {
    const int file = ::open(path, flags, 0600);
    if (file < 0 || ::dup2(file, to) < 0) ::_exit(127);
  };
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO);
  redirect(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  if (!cache_home.empty()) ::setenv("XDG_CACHE_HOME", cache_home.c_str(), 1);
  if (!notify_socket.empty()) ::setenv("NOTIFY_SOCKET", notify_socket.c_str(), 1);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

bool has_sanitizer_report(std::string_view text) {
  for (const char* const mark : {"Sanitizer", "runtime error:"}) {
    if (text.find(mark) != std::string_view::npos) return true;
  }
  return false;
}

std::string why_no_fuse() {
  const int device = ::open("/dev/fuse", O_RDWR | O_CLOEXEC);
  if (device < 0) return fmt::format("/dev/fuse: {}", std::strerror(errno));
  ::close(device);
  if (run("command -v fusermount3").exit_code != 0) return "fusermount3 is not installed";
  return "";
}

}  // namespace

std::filesystem::path program(std::string_view name) {
  const char* const elsewhere = std::getenv("SCIDFS_PROGRAMS");
  return (elsewhere != nullptr ? elsewhere : std::filesystem::path(configured("build")) / "fs") /
         name;
}

std::string scidfs_binary() { return program("scidfs"); }

bool is_sanitized() {
  return configured("sanitized") == "yes" || std::getenv("SCIDFS_SANITIZED") != nullptr;
}

bool can_be_strict() { return !is_sanitized() && fs::can_lock_the_door(); }

std::string shell_word(std::string_view text) {
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

Outcome run(const std::string& command, unsigned seconds) {
  const TemporaryFolder folder;
  const pid_t child =
      start_program({"timeout", "-k", "5", std::to_string(seconds), "sh", "-c", command},
                    folder / "out", folder / "errors", "");
  Outcome outcome;
  if (child < 0) {
    ADD_FAILURE() << "cannot start: " << command;
    return outcome;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  outcome.exit_code = exit_code_of(status);
  outcome.out = read_file(folder / "out");
  outcome.errors = read_file(folder / "errors");
  if (outcome.exit_code == kTimedOut) {
    ADD_FAILURE() << "took more than " << seconds << " s: " << command;
  }
  return outcome;
}

std::string run_ok(const std::string& command, unsigned seconds) {
  Outcome outcome = run(command, seconds);
  EXPECT_EQ(outcome.exit_code, 0) << command << '\n' << outcome.errors;
  return std::move(outcome.out);
}

bool is_mounted(const filesystem::path& path) {
  constexpr auto kFuse = 0x65735546;
  struct statfs here {};
  // A dead mount does not respond, but it is a mount. A request that was sent just before the last
  // thread of a killed daemon ended is aborted.
  if (::statfs(path.c_str(), &here) != 0) return errno == ENOTCONN || errno == ECONNABORTED;
  struct statfs above {};
  if (here.f_type != kFuse || ::statfs(path.parent_path().c_str(), &above) != 0) return false;
  return above.f_type != kFuse;
}

Mount::Mount(MountSetup setup)
    : mountpoint_(setup.mountpoint.empty() ? folder_ / "mnt" : setup.mountpoint),
      messages_(folder_ / "messages") {
  filesystem::create_directory(mountpoint_);
  if (setup.cache_home.empty()) setup.cache_home = folder_ / "cache";
  ready_ = start(setup) && wait_until_ready();
  if (!ready_) ADD_FAILURE() << "no mount: " << command_ << '\n' << messages();
}

Mount::~Mount() {
  if (daemon_ > 0) {
    EXPECT_EQ(unmount(), 0) << command_ << '\n' << messages();
  }
  if (has_sanitizer_report(messages())) ADD_FAILURE() << command_ << '\n' << messages();
}

bool Mount::start(const MountSetup& setup) {
  std::vector<std::string> words = {scidfs_binary(), setup.source, mountpoint_, "-f"};
  // A system call that the sandbox does not allow ends the daemon and fails the test.
  if (can_be_strict()) words.insert(words.end(), {"-o", "sandbox=strict"});
  // The content does not depend on installed files, unless the test chooses so.
  words.insert(words.end(), {"-o", "spelling=none,eco=none,fide=none"});
  if (!setup.options.empty()) words.insert(words.end(), {"-o", setup.options});
  words.insert(words.end(), setup.words.begin(), setup.words.end());
  command_ = fmt::format("XDG_CACHE_HOME={}", shell_word(setup.cache_home.string()));
  for (const std::string& word : words) command_ += ' ' + shell_word(word);
  daemon_ = start_program(words, messages_, messages_, setup.cache_home, setup.notify_socket);
  return daemon_ > 0;
}

bool Mount::wait_until_ready() {
  bool ended = false;
  const bool mounted = wait_until(kStartLimit, [&] {
    int status = 0;
    if (::waitpid(daemon_, &status, WNOHANG) == daemon_) ended = true;
    return ended || is_mounted(mountpoint_);
  });
  if (ended) daemon_ = -1;
  return mounted && !ended;
}

std::string Mount::messages() const {
  return filesystem::exists(messages_) ? read_file(messages_) : "";
}

int Mount::unmount() {
  if (is_mounted(mountpoint_)) {
    const std::string path = shell_word(mountpoint_.string());
    // Programs may still be reading.
    const bool gone = wait_until(std::chrono::seconds(5), [&] {
      return run("fusermount3 -u " + path).exit_code == 0 || !is_mounted(mountpoint_);
    });
    if (!gone) {
      ADD_FAILURE() << "stays busy: " << mountpoint_ << '\n' << run("fuser -vm " + path).errors;
      run("fusermount3 -u -z " + path);
    }
  }
  return wait_for_end();
}

void send_signal(pid_t process, int signal) {
  if (process <= 0) {
    ADD_FAILURE() << "no process is left to send signal " << signal;
  } else {
    ::kill(process, signal);
  }
}

int Mount::wait_for_end() {
  if (daemon_ <= 0) return -1;
  int status = 0;
  const bool ended =
      wait_until(kEndLimit, [&] { return ::waitpid(daemon_, &status, WNOHANG) == daemon_; });
  if (!ended) {
    ADD_FAILURE() << "the daemon does not end: " << command_ << '\n'
                  << run(fmt::format("gdb -p {} -batch -ex 'thread apply all bt'", daemon_)).out;
    ::kill(daemon_, SIGKILL);
    ::waitpid(daemon_, &status, 0);
    run("fusermount3 -u -z " + shell_word(mountpoint_.string()));
  }
  daemon_ = -1;
  return ended ? exit_code_of(status) : -1;
}

void MountedTest::SetUp() {
  static const std::string why = why_no_fuse();
  if (why.empty()) return;
  if (std::getenv("SCIDFS_REQUIRE_FUSE") != nullptr || std::getenv("CI") != nullptr) {
    FAIL() << "FUSE is required: " << why;
  }
  GTEST_SKIP() << why;
}

}  // namespace scidfs::tests
