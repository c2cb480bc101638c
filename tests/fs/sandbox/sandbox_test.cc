// Attempts of a daemon that a hostile database controls: all of them are made inside the sandbox.
#include "fs/sandbox/sandbox.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fs.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "fs/sandbox/landlock.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;

// 0, or the errno of a failure.
int error_of(std::int64_t result) { return result >= 0 ? 0 : errno; }
int open_error(const stdfs::path& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  const int error = error_of(file);
  if (file >= 0) ::close(file);
  return error;
}
int exec_error() {
  std::array<char*, 2> words = {const_cast<char*>("true"), nullptr};
  return error_of(::execv("/bin/true", words.data()));
}
int connect_error() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return errno;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return error_of(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address));
}

// An attempt and its expected result.
struct Attempt {
  std::string what;
  int expected;
  std::function<int()> act;
};

class SandboxTest : public testing::Test {
 protected:
  SandboxTest() {
    source_ = folder_ / "source";
    cache_ = folder_ / "home/cache";
    outside_ = folder_ / "outside";
    stdfs::create_directories(source_ / "sub");
    stdfs::create_directories(cache_);
    stdfs::create_directory(outside_);
    for (const stdfs::path& path :
         {source_ / "base.si4", source_ / "sub/base.si4", outside_ / "base.sg4"}) {
      std::ofstream(path) << "bytes";
    }
  }
  void SetUp() override {
    if (!can_lock_the_door()) GTEST_SKIP() << "no Landlock, no seccomp, or built with a sanitizer";
  }

  // Options for a mount of a source that saves sizes.
  SandboxOptions options(bool follow_links = false) const { return of(source_, follow_links); }
  SandboxOptions of(const stdfs::path& source, bool follow_links = false) const {
    SandboxOptions options;
    add_source(source, follow_links, options.paths);
    options.paths.write.push_back(cache_);
    return options;
  }

  // Runs `lock` and then all attempts in a separate process; between the two, a file and a folder
  // are added to the source. Returns the status of the process from waitpid.
  int try_all(const std::function<absl::Status()>& lock, const std::vector<Attempt>& attempts) {
    std::array<int, 2> results{};
    std::array<int, 2> go{};
    if (::pipe(results.data()) != 0 || ::pipe(go.data()) != 0) return -1;
    const pid_t prisoner = ::fork();
    if (prisoner == 0) {
      char byte = lock().ok() ? 1 : 0;
      bool good = ::write(results[1], &byte, 1) == 1 && ::read(go[0], &byte, 1) == 1;
      for (const Attempt& attempt : attempts) {
        const int error = attempt.act();
        good = good && ::write(results[1], &error, sizeof error) == sizeof error;
      }
      ::_exit(good ? 0 : 1);
    }
    if (prisoner < 0) return -1;
    ::close(results[1]);
    char byte = 0;
    EXPECT_EQ(::read(results[0], &byte, 1), 1);
    EXPECT_EQ(byte, 1) << "the door does not lock";
    stdfs::create_directory(source_ / "new");
    std::ofstream(source_ / "new/base.si4") << "bytes";
    EXPECT_EQ(::write(go[1], &byte, 1), 1);
    for (const Attempt& attempt : attempts) {
      int error = -1;
      if (::read(results[0], &error, sizeof error) != sizeof error) break;
      EXPECT_EQ(error, attempt.expected) << attempt.what;
    }
    for (const int end : {results[0], go[0], go[1]}) ::close(end);
    int status = 0;
    EXPECT_EQ(::waitpid(prisoner, &status, 0), prisoner);
    return status;
  }
  void expect_all(const std::function<absl::Status()>& lock, const std::vector<Attempt>& attempts) {
    EXPECT_EQ(try_all(lock, attempts), 0) << "it did not live to the end";
  }
  void expect_all(const SandboxOptions& options, const std::vector<Attempt>& attempts) {
    expect_all([&] { return lock_the_door(options); }, attempts);
  }
  static Attempt reading(const stdfs::path& path, int expected = 0) {
    return {"reading " + path.string(), expected, [path] { return open_error(path, O_RDONLY); }};
  }

  tests::TemporaryFolder folder_;
  stdfs::path source_;
  stdfs::path cache_;
  stdfs::path outside_;
};

TEST_F(SandboxTest, SourceStaysReadableWhileItChanges) {
  expect_all(options(), {
                            reading(source_ / "base.si4"),
                            reading(source_ / "sub/base.si4"),
                            reading(source_ / "new/base.si4"),
                            reading(source_),
                            reading(source_ / "new"),
                        });
}

TEST_F(SandboxTest, NothingElseCanBeRead) {
  expect_all(options(), {
                            reading("/etc/passwd", EACCES),
                            reading("/", EACCES),
                            reading("/proc/self/environ", EACCES),
                            reading("/proc/self/mem", EACCES),
                            reading(outside_ / "base.sg4", EACCES),
                            reading(source_ / "../outside/base.sg4", EACCES),
                            reading(folder_.path(), EACCES),
                        });
}

TEST_F(SandboxTest, SourceCannotBeWritten) {
  const stdfs::path file = source_ / "base.si4";
  const stdfs::path other = source_ / "other.si4";
  expect_all(
      options(),
      {
          {"opening to write", EACCES, [&] { return open_error(file, O_WRONLY); }},
          {"opening to append", EACCES, [&] { return open_error(file, O_WRONLY | O_APPEND); }},
          {"opening to cut", EACCES, [&] { return open_error(file, O_RDONLY | O_TRUNC); }},
          {"making a file", EACCES, [&] { return open_error(other, O_WRONLY | O_CREAT); }},
          {"a file without name", EACCES, [&] { return open_error(source_, O_RDWR | O_TMPFILE); }},
          {"removing", EACCES, [&] { return error_of(::unlink(file.c_str())); }},
          {"renaming", EACCES, [&] { return error_of(::rename(file.c_str(), other.c_str())); }},
          {"making a folder", EACCES, [&] { return error_of(::mkdir(other.c_str(), 0700)); }},
          {"cutting", EPERM, [&] { return error_of(::truncate(file.c_str(), 0)); }},
          {"changing the mode", EPERM, [&] { return error_of(::chmod(file.c_str(), 0666)); }},
          {"linking", EPERM, [&] { return error_of(::link(file.c_str(), other.c_str())); }},
          {"moving into the cache folder", EACCES,
           [&] { return error_of(::rename(file.c_str(), (cache_ / "x").c_str())); }},
      });
  EXPECT_EQ(stdfs::file_size(file), 5U);
}

TEST_F(SandboxTest, CacheFolderCanBeWritten) {
  const stdfs::path file = cache_ / "sizes";
  const stdfs::path other = cache_ / "sizes.old";
  expect_all(
      options(),
      {
          {"making a file", 0, [&] { return open_error(file, O_RDWR | O_CREAT | O_EXCL); }},
          {"renaming", 0, [&] { return error_of(::rename(file.c_str(), other.c_str())); }},
          {"cutting", 0, [&] { return open_error(other, O_WRONLY | O_TRUNC); }},
          reading(other),
          {"removing", 0, [&] { return error_of(::unlink(other.c_str())); }},
          {"a file without name", 0, [&] { return open_error(cache_, O_RDWR | O_TMPFILE); }},
          {"a file beside it", EACCES, [&] { return open_error(folder_ / "x", O_RDWR | O_CREAT); }},
          {"a program in it", EPERM, [] { return exec_error(); }},
      });
}

TEST_F(SandboxTest, SocketsProcessesAndSignalsAreForbidden) {
  const pid_t parent = ::getpid();
  // Like the socket to the system log, which stays open in the sandbox.
  const int messages = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  expect_all(
      options(),
      {
          {"a TCP connection", EPERM, connect_error},
          {"a local socket", EPERM, [] { return error_of(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
          {"a program", EPERM, exec_error},
          {"a process", EPERM, [] { return error_of(::fork()); }},
          {"a mount", EPERM, [&] { return error_of(::mount("x", "/", "tmpfs", 0, "")); }},
          {"an unmount", EPERM, [&] { return error_of(::umount2("/", MNT_DETACH)); }},
          {"a signal", EPERM, [&] { return error_of(::kill(parent, SIGTERM)); }},
          {"a signal to a thread", EPERM,
           [&] { return error_of(::syscall(SYS_tgkill, parent, parent, SIGTERM)); }},
          {"a limit for others", EPERM,
           [&] {
             constexpr rlimit kNone{0, 0};
             return error_of(::prlimit(parent, RLIMIT_NOFILE, &kNone, nullptr));
           }},
          {"a message by an old socket", EPERM,
           [&] {
             sockaddr_un address{};
             address.sun_family = AF_UNIX;
             return error_of(::sendto(messages, "x", 1, 0, reinterpret_cast<sockaddr*>(&address),
                                      sizeof address));
           }},
          {"a look into others", EPERM,
           [&] { return error_of(::ptrace(PTRACE_ATTACH, parent, 0, 0)); }},
          {"memory that runs", EPERM,
           [] {
             return ::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                           0) == MAP_FAILED
                        ? errno
                        : 0;
           }},
          {"another name space", EPERM, [] { return error_of(::unshare(CLONE_NEWUSER)); }},
          {"a ring of requests", ENOSYS,
           [] { return error_of(::syscall(SYS_io_uring_setup, 1, nullptr)); }},
          {"typing", EPERM, [] { return error_of(::ioctl(0, TIOCSTI, "x")); }},
      });
  ::close(messages);
}

TEST_F(SandboxTest, FilesInMemoryAreAllowed) {
  expect_all(options(), {{"a file in memory", 0, [] {
                            const int file = ::memfd_create("x", MFD_CLOEXEC);
                            return error_of(::pwrite(file, "x", 1, 0) == 1 ? 0 : -1);
                          }}});
}

// The kernel sends a signal to the owner of a pipe when it becomes readable; Landlock prevents that
// for other processes only since version 6.
TEST_F(SandboxTest, SignalsThroughFilesAreForbidden) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const int end = ends[0];
  const pid_t parent = ::getpid();
  f_owner_ex owner{.type = F_OWNER_PID, .pid = parent};
  int on = 1;
  expect_all(
      options(),
      {
          {"whom", EPERM, [&] { return error_of(::fcntl(end, F_SETOWN, parent)); }},
          {"whom, exactly", EPERM, [&] { return error_of(::fcntl(end, F_SETOWN_EX, &owner)); }},
          {"which", EPERM, [&] { return error_of(::fcntl(end, F_SETSIG, SIGKILL)); }},
          {"when", EPERM, [&] { return error_of(::fcntl(end, F_SETFL, O_ASYNC)); }},
          {"when, otherwise", EPERM, [&] { return error_of(::ioctl(end, FIOASYNC, &on)); }},
          {"whom, otherwise", EPERM, [&] { return error_of(::ioctl(end, FIOSETOWN, &parent)); }},
          {"a lease", EPERM, [&] { return error_of(::fcntl(end, F_SETLEASE, F_WRLCK)); }},
          // Of a file, it is for mapping, and sends a signal to this process alone.
          {"to read", EINVAL, [&] { return error_of(::fcntl(end, F_SETLEASE, F_RDLCK)); }},
          {"a watch", EPERM, [&] { return error_of(::fcntl(end, F_NOTIFY, DN_CREATE)); }},
      });
  for (const int each : ends) ::close(each);
}

TEST_F(SandboxTest, DescriptorCallsOfLibrariesAreAllowed) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const int end = ends[0];
  SandboxOptions strict = options();
  strict.mode = SandboxMode::Strict;
  expect_all(strict,
             {
                 {"F_DUPFD_CLOEXEC", 0, [&] { return error_of(::fcntl(end, F_DUPFD_CLOEXEC, 9)); }},
                 {"F_GETFD", 0, [&] { return error_of(::fcntl(end, F_GETFD)); }},
                 {"F_SETFD", 0, [&] { return error_of(::fcntl(end, F_SETFD, FD_CLOEXEC)); }},
                 {"F_GETFL", 0, [&] { return error_of(::fcntl(end, F_GETFL)); }},
                 {"F_SETFL", 0, [&] { return error_of(::fcntl(end, F_SETFL, O_NONBLOCK)); }},
                 {"F_SETPIPE_SZ", 0, [&] { return error_of(::fcntl(end, F_SETPIPE_SZ, 65536)); }},
             });
  for (const int each : ends) ::close(each);
}

TEST_F(SandboxTest, ProgramsThatWriteFilesMayRenameThem) {
  const stdfs::path result = outside_ / "book.kob";
  const stdfs::path draft = outside_ / ".book.kob.1";
  SandboxOptions choice{.mode = SandboxMode::Strict, .writes_files = true};
  add_named(source_ / "base.si4", choice.paths);
  add_result(result, choice.paths);
  const auto make = [&] { return open_error(draft, O_RDWR | O_CREAT | O_EXCL); };
  expect_all(
      choice,
      {
          reading(source_ / "base.si4"),
          reading(source_, EACCES),
          reading("/etc/passwd", EACCES),
          {"writing what is read", EACCES,
           [&] { return open_error(source_ / "base.si4", O_WRONLY); }},
          {"making", 0, make},
          {"locking", 0,
           [&] {
             const int file = ::open(draft.c_str(), O_RDWR | O_CLOEXEC);
             const int error = error_of(::flock(file, LOCK_EX | LOCK_NB));
             return error != 0 ? error : error_of(::fsync(file));
           }},
          {"renaming over nothing", 0,
           [&] {
             return error_of(
                 ::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, result.c_str(), RENAME_NOREPLACE));
           }},
          {"making again", 0, make},
          {"renaming over nothing again", EEXIST,
           [&] {
             return error_of(
                 ::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, result.c_str(), RENAME_NOREPLACE));
           }},
          {"linking", 0,
           [&] { return error_of(::link(draft.c_str(), (outside_ / "second").c_str())); }},
          {"linking what is read", EXDEV,
           [&] {
             return error_of(::link((source_ / "base.si4").c_str(), (outside_ / "third").c_str()));
           }},
          {"syncing the folder", 0,
           [&] {
             const int folder = ::open(outside_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
             return error_of(::fsync(folder));
           }},
          {"a file without name", 0, [&] { return open_error(outside_, O_RDWR | O_TMPFILE); }},
      });
}

// Landlock bounds none of these: a program that may read a file of the user could open it to all.
TEST_F(SandboxTest, NoProgramChangesOwnersModesOrAttributes) {
  for (const bool writes_files : {false, true}) {
    for (const bool only_reads : {false, !writes_files}) {
      SandboxOptions choice{.writes_files = writes_files,
                            .only_reads = only_reads,
                            .keeps_cache = only_reads || writes_files};
      add_source(source_, false, choice.paths);
      choice.paths.write.push_back(outside_);
      std::vector<Attempt> attempts;
      for (const stdfs::path& path : {source_ / "base.si4", outside_ / "new"}) {
        const auto change = [&](const char* what, const std::function<std::int64_t(int)>& act) {
          attempts.push_back({what + (" of " + path.string()), EPERM, [path, act] {
                                return error_of(
                                    act(::open(path.c_str(), O_RDONLY | O_CREAT, 0600)));
                              }});
        };
        change("fchmod", [](int file) { return ::fchmod(file, 0666); });
        change("fchown", [](int file) { return ::fchown(file, ::geteuid(), ::getegid()); });
        change("an attribute", [](int file) { return ::fsetxattr(file, "user.x", "y", 1, 0); });
        change("an access control list", [](int file) {
          return ::fsetxattr(file, "system.posix_acl_access", "\2\0\0\0", 4, 0);
        });
        change("no attribute", [](int file) { return ::fremovexattr(file, "user.x"); });
        change("times", [](int file) { return ::futimens(file, nullptr); });
        change("flags", [](int file) {
          const int none = 0;
          return ::ioctl(file, FS_IOC_SETFLAGS, &none);
        });
      }
      expect_all(choice, attempts);
    }
  }
}

TEST_F(SandboxTest, NoProgramMakesFilesThatRunAsTheirOwner) {
  for (const bool writes_files : {false, true}) {
    SandboxOptions choice{.writes_files = writes_files};
    choice.paths.write.push_back(outside_);
    const auto make = [this](mode_t mode, int flags) {
      return [this, mode, flags] {
        return error_of(::open((outside_ / (flags == O_CREAT ? "new" : "")).c_str(),
                               flags | O_RDWR | O_CLOEXEC, mode));
      };
    };
    expect_all(choice, {{"setuid", EPERM, make(04755, O_CREAT)},
                        {"setgid", EPERM, make(02755, O_CREAT)},
                        {"setuid, without a name", EPERM, make(04755, O_TMPFILE)},
                        {"a plain file", 0, make(0600, O_CREAT)}});
  }
}

TEST_F(SandboxTest, OnlyTheMountWatchesAndWaits) {
  const auto attempts = [&](int expected, int device) {
    return std::vector<Attempt>{
        {"a watch", expected, [] { return error_of(::inotify_init1(IN_CLOEXEC)); }},
        {"a group of descriptors", expected,
         [] { return error_of(::epoll_create1(EPOLL_CLOEXEC)); }},
        {"a session", expected, [] { return error_of(::setsid()); }},
        {"waiting", expected == 0 ? ECHILD : expected,
         [] { return error_of(::waitpid(-1, nullptr, WNOHANG)); }},
        {"a signal at the end of the parent", expected,
         [] { return error_of(::prctl(PR_SET_PDEATHSIG, 0)); }},
        {"/dev/fuse", device, [] { return open_error("/dev/fuse", O_RDWR); }}};
  };
  const int device = open_error("/dev/fuse", O_RDWR);
  expect_all(options(), attempts(0, device));
  for (const bool writes_files : {false, true}) {
    SandboxOptions choice = options();
    choice.writes_files = writes_files;
    choice.only_reads = !writes_files;
    for (const bool keeps_cache : {false, true}) {
      choice.keeps_cache = keeps_cache;
      expect_all(choice, attempts(EPERM, device == 0 ? EACCES : device));
    }
  }
}

TEST_F(SandboxTest, OnlyProgramsWithACacheFolderMayLeaseFilesForReading) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const auto lease = [end = ends[0]](int kind) {
    return [end, kind] { return error_of(::fcntl(end, F_SETLEASE, kind)); };
  };
  for (const bool writes_files : {false, true}) {
    for (const bool keeps_cache : {false, true}) {
      SandboxOptions choice{
          .writes_files = writes_files, .only_reads = !writes_files, .keeps_cache = keeps_cache};
      // A pipe has none.
      expect_all(choice, {{"to read", keeps_cache ? EINVAL : EPERM, lease(F_RDLCK)},
                          {"to write", EPERM, lease(F_WRLCK)}});
    }
  }
  for (const int each : ends) ::close(each);
}

TEST_F(SandboxTest, FilesOfOneStemAreReadThroughTheirLinks) {
  stdfs::create_symlink(outside_ / "base.sg4", source_ / "base.sg4");
  stdfs::create_directory(folder_ / "third");
  std::ofstream(folder_ / "third/x") << "bytes";
  stdfs::create_symlink(folder_ / "third/x", source_ / "other.sg4");
  SandboxOptions choice;
  add_named(source_ / "base.si4", choice.paths);
  expect_all(choice, {reading(source_ / "base.si4"), reading(source_ / "base.sg4"),
                      reading(source_ / "other.sg4", EACCES), reading(outside_, EACCES)});
}

TEST_F(SandboxTest, ThreadsMayStartAndEnd) {
  expect_all(options(), {{"a thread", 0, [] {
                            int value = 1;
                            std::thread([&value] { value = 0; }).join();
                            return value;
                          }}});
}

TEST_F(SandboxTest, LinksOutOfTheSourceAreReadOnlyOnRequest) {
  stdfs::create_symlink(outside_ / "base.sg4", source_ / "base.sg4");
  expect_all(options(), {reading(source_ / "base.sg4", EACCES)});
  expect_all(options(true), {reading(source_ / "base.sg4"), reading(outside_, EACCES)});
}

// With their contents, through further links too, even if these form circles.
TEST_F(SandboxTest, LinkedFoldersAreReadOnlyOnRequest) {
  stdfs::create_directories(outside_ / "sub");
  stdfs::create_directories(folder_ / "third");
  stdfs::create_directories(folder_ / "fourth");
  std::ofstream(folder_ / "third/x.si4") << "bytes";
  stdfs::create_directory_symlink(outside_, source_ / "linked");
  stdfs::create_directory_symlink(folder_ / "third", outside_ / "sub/further");
  stdfs::create_directory_symlink(source_, outside_ / "back");
  stdfs::create_directory_symlink(outside_, folder_ / "third/circle");
  const auto attempts = [this](int expected) {
    return std::vector<Attempt>{reading(source_ / "linked", expected),
                                reading(source_ / "linked/base.sg4", expected),
                                reading(source_ / "linked/sub/further", expected),
                                reading(source_ / "linked/sub/further/x.si4", expected),
                                reading(folder_ / "fourth", EACCES),
                                reading(folder_.path(), EACCES)};
  };
  expect_all(options(), attempts(EACCES));
  expect_all(options(true), attempts(0));
}

TEST_F(SandboxTest, FolderOfOneDatabaseCannotBeListed) {
  expect_all(of(source_ / "base.si4"), {reading(source_ / "base.si4"), reading(source_, EACCES),
                                        reading(outside_ / "base.sg4", EACCES)});
}

TEST_F(SandboxTest, LandlockAloneRestrictsFiles) {
  const auto lock = [this] {
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    OpenPaths paths;
    paths.read = {source_};
    return confine_files(paths, true);
  };
  expect_all(lock, {
                       reading(source_ / "base.si4"),
                       reading("/etc/passwd", EACCES),
                       {"a program", EACCES, exec_error},
                       {"a TCP connection", landlock_version() >= 4 ? EACCES : ECONNREFUSED,
                        connect_error},
                       {"an unmount", EPERM, [] { return error_of(::umount2("/", 0)); }},
                   });
}

TEST_F(SandboxTest, ForbiddenCallsAreFatalInStrictMode) {
  SandboxOptions choice = options();
  choice.mode = SandboxMode::Strict;
  const int end = try_all([&] { return lock_the_door(choice); },
                          {reading(source_ / "base.si4"), {"a program", -1, exec_error}});
  EXPECT_TRUE(WIFSIGNALED(end) && WTERMSIG(end) == SIGSYS) << end;
}

TEST_F(SandboxTest, OffRestrictsNothing) {
  SandboxOptions choice = options();
  choice.mode = SandboxMode::Off;
  expect_all(choice, {reading("/etc/passwd"), reading(outside_ / "base.sg4")});
}

// The guardian does this: a thread that cannot be killed keeps the rest of its process open.
TEST_F(SandboxTest, EarlierProcessDetectsEndOfFirstThread) {
  std::array<int, 2> told{};
  std::array<int, 2> ready{};
  ASSERT_EQ(::pipe2(told.data(), O_CLOEXEC), 0);
  ASSERT_EQ(::pipe2(ready.data(), O_CLOEXEC), 0);
  const pid_t prisoner = ::fork();
  if (prisoner == 0) {
    if (::fork() == 0) {
      sigset_t end;
      ::sigemptyset(&end);
      ::sigaddset(&end, SIGUSR1);
      ::sigprocmask(SIG_BLOCK, &end, nullptr);
      ::prctl(PR_SET_PDEATHSIG, SIGUSR1);
      char byte = 1;
      if (::write(ready[1], &byte, 1) != 1) ::_exit(1);
      const timespec patience{.tv_sec = 10, .tv_nsec = 0};
      byte = ::sigtimedwait(&end, nullptr, &patience) == SIGUSR1 ? 1 : 0;
      ::_exit(::write(told[1], &byte, 1) == 1 ? 0 : 1);
    }
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1 || !lock_the_door(options()).ok()) ::_exit(1);
    std::thread([] { ::pause(); }).detach();
    ::syscall(SYS_exit, 0);  // only this thread
  }
  ASSERT_GT(prisoner, 0);
  ::close(told[1]);
  char byte = 0;
  EXPECT_EQ(::read(told[0], &byte, 1), 1);
  EXPECT_EQ(byte, 1) << "the end of the first thread has been kept from it";
  ::kill(prisoner, SIGKILL);
  ::waitpid(prisoner, nullptr, 0);
  for (const int end : {told[0], ready[0], ready[1]}) ::close(end);
}

}  // namespace
}  // namespace scidfs::fs
