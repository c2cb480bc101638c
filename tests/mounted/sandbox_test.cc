// The sandbox and the guardian, on real mounts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <fstream>
#include <optional>
#include <thread>
#include <utility>

#include "fs/mount/guardian.h"
#include "fs/mount/mount_place.h"
#include "fs/sandbox/privileges.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// True if the mount disappears within a second and its folder is usable again.
bool is_clean_soon(const filesystem::path& mountpoint) {
  for (int i = 0; i < 100; ++i) {
    std::error_code error;
    // A dead mount cannot be listed, and a live one is not empty.
    if (filesystem::is_empty(mountpoint, error) && !error && !is_mounted(mountpoint)) return true;
    ::usleep(10'000);
  }
  return false;
}

// The ids of the processes of this name that were started for a mount, one line each.
std::string processes_of(const filesystem::path& mountpoint, std::string_view name) {
  return run_ok(
      fmt::format("for p in $(pgrep -f {}); do if [ \"$(cat /proc/$p/comm)\" = {} ]; "
                  "then echo $p; fi; done",
                  word("scidfs.*" + mountpoint.string()), name));
}

class GuardedTest : public MountpointTest {
 protected:
  std::string command(const filesystem::path& source, const std::string& more = "") const {
    return fmt::format("XDG_CACHE_HOME={} {} {} {} {}", word(folder_ / "cache"),
                       shell_word(scidfs_binary()), word(source), word(mountpoint_), more);
  }
  // A copy of the sample with a game file that is a link to another folder.
  filesystem::path linked_source() const {
    const filesystem::path source = folder_ / "source";
    filesystem::copy(sample_folder(), source);
    filesystem::create_directory(folder_ / "elsewhere");
    filesystem::rename(source / "sample.sg4", folder_ / "elsewhere/games");
    filesystem::create_symlink(folder_ / "elsewhere/games", source / "sample.sg4");
    return source;
  }
};

TEST_F(GuardedTest, EveryThreadIsConfined) {
  if (!can_be_strict()) GTEST_SKIP() << "no Landlock, no seccomp, or a sanitizer";
  const Mount mount({.source = sample_folder()});
  ASSERT_TRUE(mount.ok());
  run_ok("cat " + word(mount / "sample.si4/all.pgn"));
  const std::string threads = fmt::format("/proc/{}/task", mount.daemon());
  for (const std::string& thread : names_in(threads)) {
    const std::string status = read_all(filesystem::path(threads) / thread / "status");
    EXPECT_THAT(status, AllOf(HasSubstr("NoNewPrivs:\t1\n"), HasSubstr("Seccomp:\t2\n")));
    // The rights of root: reading and writing files of other users, within the limits of Landlock.
    EXPECT_THAT(status, HasSubstr(::geteuid() == 0 ? "CapPrm:\t0000000000000006\n"
                                                   : "CapPrm:\t0000000000000000\n"));
  }
}

TEST_F(GuardedTest, KilledDaemonLeavesNoMount) {
  for (const char* const options : {"", "sandbox=off"}) {
    Mount mount({.source = sample_folder(), .options = options});
    ASSERT_TRUE(mount.ok());
    // Open files in it do not keep it.
    std::ifstream reader(mount / "sample.si4/all.pgn");
    ASSERT_TRUE(reader.good());
    send_signal(mount.daemon(), SIGKILL);
    EXPECT_TRUE(is_clean_soon(mount.path())) << options;
    EXPECT_EQ(mount.wait_for_end(), 128 + SIGKILL);
    EXPECT_EQ(mount.messages(), "");
  }
}

TEST_F(GuardedTest, KilledBackgroundDaemonLeavesNoMountAndNextOneWorks) {
  for (int round = 0; round < 3; ++round) {
    run_ok(command(sample_folder()));
    EXPECT_THAT(names_in(mountpoint_), Contains("sample.si4"));
    run_ok("kill -KILL " + processes_of(mountpoint_, "scidfs"));
    EXPECT_TRUE(is_clean_soon(mountpoint_));
  }
}

// A daemon that has ended except for one thread, which keeps its descriptors: in practice a thread
// that waits in the kernel for an answer of the others, here one that is still alive.
class OutlivedTest : public GuardedTest {
 protected:
  void expect_no_mount_stays(const std::optional<fs::User>& run_as) const;
};

void OutlivedTest::expect_no_mount_stays(const std::optional<fs::User>& run_as) const {
  std::array<int, 2> mounted{};
  ASSERT_EQ(::pipe(mounted.data()), 0);
  const pid_t daemon = ::fork();
  if (daemon == 0) {
    fs::MountOptions options;
    options.mountpoint = mountpoint_;
    options.run_as = run_as;
    absl::StatusOr<fs::MountPlace> place = fs::MountPlace::find(mountpoint_);
    if (!place.ok() || !place->take_folder()) ::_exit(1);
    const auto guardian = fs::Guardian::start(options, *std::move(place));
    if (!guardian.ok() || (run_as && !fs::become(*run_as).ok()) || !(*guardian)->mount().ok()) {
      ::_exit(1);
    }
    std::thread([] {
      for (;;) ::pause();
    }).detach();
    // Now its guardian unmounts.
    if (::write(mounted[1], "m", 1) == 1) ::syscall(SYS_exit, 0);
    ::_exit(1);
  }
  ASSERT_GT(daemon, 0);
  ::close(mounted[1]);
  char byte = 0;
  EXPECT_EQ(::read(mounted[0], &byte, 1), 1);
  ::close(mounted[0]);
  // Sends no request to the mount, because it would not be answered.
  const auto is_listed = [this] {
    return read_all("/proc/self/mountinfo").find(mountpoint_.string()) != std::string::npos;
  };
  for (int i = 0; i < 500 && is_listed(); ++i) ::usleep(10'000);
  EXPECT_FALSE(is_listed());
  send_signal(daemon, SIGKILL);
  EXPECT_EQ(::waitpid(daemon, nullptr, 0), daemon);
}

TEST_F(OutlivedTest, RemainingThreadDoesNotKeepMount) { expect_no_mount_stays(std::nullopt); }

TEST_F(OutlivedTest, RemainingThreadOfOtherUserDoesNotKeepMount) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can mount for others";
  const absl::StatusOr<fs::User> nobody = fs::find_user("nobody");
  ASSERT_TRUE(nobody.ok()) << nobody.status();
  expect_no_mount_stays(*nobody);
}

TEST_F(GuardedTest, SignalsOfTerminalReachOnlyTheDaemon) {
  // timeout sends its signal to the whole group, as a terminal does.
  for (const char* const signal : {"INT", "HUP", "TERM", "KILL"}) {
    const std::string code = std::string_view(signal) == "KILL" ? "137\n" : "124\n";
    EXPECT_EQ(run_ok(fmt::format("timeout -s {} 1 env {}; echo $?", signal,
                                 command(sample_folder(), "-f"))),
              code);
    EXPECT_TRUE(is_clean_soon(mountpoint_)) << signal;
  }
}

TEST_F(GuardedTest, UnmountingEndsDaemonAndGuardian) {
  run_ok(command(sample_folder()));
  EXPECT_THAT(processes_of(mountpoint_, "scidfs"), Not(IsEmpty()));
  EXPECT_THAT(processes_of(mountpoint_, "scidfs-guardian"), Not(IsEmpty()));
  run_ok("fusermount3 -u " + word(mountpoint_));
  const auto all = [this] {
    return processes_of(mountpoint_, "scidfs") + processes_of(mountpoint_, "scidfs-guardian");
  };
  for (int i = 0; i < 100 && !all().empty(); ++i) ::usleep(10'000);
  EXPECT_EQ(all(), "");
}

TEST_F(GuardedTest, OutputIsClosedWhenCommandReturns) {
  // A pipe that the guardian kept open would block readers until its end.
  EXPECT_EQ(run_ok(fmt::format("({}) 2>&1 | cat", command(sample_folder())), 20), "");
  EXPECT_TRUE(is_mounted(mountpoint_));
  EXPECT_EQ(run_ok(fmt::format("fusermount3 -u {}; ({} <&- >&- 2>&-) | cat", word(mountpoint_),
                               command(sample_folder())),
                   20),
            "");
  EXPECT_THAT(names_in(mountpoint_), Contains("sample.si4"));
}

TEST_F(GuardedTest, DaemonWithoutGuardianReportsThatItsMountStays) {
  Mount mount({.source = sample_folder()});
  ASSERT_TRUE(mount.ok());
  run_ok("kill -KILL " + processes_of(mount.path(), "scidfs-guardian"));
  EXPECT_THAT(names_in(mount.path()), Contains("sample.si4"));
  send_signal(mount.daemon(), SIGTERM);
  EXPECT_EQ(mount.wait_for_end(), 0);
  EXPECT_THAT(mount.messages(), HasSubstr("Cannot unmount " + mount.path().string()));
  run_ok("fusermount3 -u -z " + word(mount.path()));
}

TEST_F(GuardedTest, LaterMountsAtTheSamePlaceStay) {
  Mount first({.source = sample_folder()});
  ASSERT_TRUE(first.ok());
  {
    // In use, so that the daemon lives on without a path.
    std::ifstream reader(first / "sample.si4/all.pgn");
    ASSERT_TRUE(reader.good());
    run_ok("fusermount3 -u -z " + word(first.path()));
    run_ok(fmt::format("XDG_CACHE_HOME={} {} {} {}", word(folder_ / "cache"),
                       shell_word(scidfs_binary()), word(sample_database()), word(first.path())));
    send_signal(first.daemon(), SIGKILL);
    EXPECT_EQ(first.wait_for_end(), 128 + SIGKILL);
    // Long enough for the guardian to unmount by mistake.
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  EXPECT_THAT(names_in(first.path()), Contains("all.pgn"));
  run_ok("fusermount3 -u " + word(first.path()));
}

TEST_F(GuardedTest, LinksOutOfTheSourceAreFollowedOnlyOnRequest) {
  const filesystem::path source = linked_source();
  for (const filesystem::path& from : {source, source / "sample.si4"}) {
    for (const char* const sandbox : {"", ",sandbox=off"}) {
      const Mount kept({.source = from, .options = std::string("patience=0,index=none") + sandbox});
      ASSERT_TRUE(kept.ok());
      const filesystem::path base = from == source ? kept / "sample.si4" : kept.path();
      EXPECT_THAT(read_all(base / "info.txt"), HasSubstr("sample.sg4: a link out of the source"));
      const Mount followed({.source = from, .options = std::string("follow") + sandbox});
      ASSERT_TRUE(followed.ok());
      EXPECT_THAT(
          read_all((from == source ? followed / "sample.si4" : followed.path()) / "info.txt"),
          Not(HasSubstr("link")));
      EXPECT_EQ(followed.messages(), "");
    }
  }
}

TEST_F(GuardedTest, LinkedIndexIsRefusedOrFollowed) {
  const filesystem::path source = folder_ / "source";
  filesystem::create_directory(source);
  filesystem::create_symlink(sample_database(), source / "link.si4");
  const Mount kept({.source = source});
  ASSERT_TRUE(kept.ok());
  EXPECT_THAT(read_all(kept / "info.txt"), HasSubstr("link.si4: a link out of the source"));
  const Mount followed({.source = source, .options = "follow"});
  ASSERT_TRUE(followed.ok());
  EXPECT_THAT(names_in(followed.path()), Contains("link.si4"));
}

TEST_F(GuardedTest, LinkedFoldersAreReportedOrFollowed) {
  const filesystem::path source = folder_ / "source";
  filesystem::create_directories(source);
  filesystem::create_directories(folder_ / "later");
  filesystem::copy(sample_folder(), folder_ / "elsewhere");
  filesystem::create_directory_symlink(folder_ / "elsewhere", source / "linked");
  filesystem::create_directory_symlink(source, folder_ / "elsewhere/circle");
  for (const char* const sandbox : {"", ",sandbox=off"}) {
    const Mount kept({.source = source, .options = std::string("index=none") + sandbox});
    ASSERT_TRUE(kept.ok());
    EXPECT_THAT(read_all(kept / "info.txt"),
                HasSubstr("refused: linked: a link to a folder (-o follow shows it)\n"));
    const Mount followed({.source = source, .options = std::string("follow") + sandbox});
    ASSERT_TRUE(followed.ok());
    EXPECT_NE(read_all(followed / "linked/sample.si4/all.pgn"), "");
    EXPECT_THAT(read_all(followed / "linked/info.txt"),
                HasSubstr("refused: circle: shown already: it is the source\n"));
    EXPECT_EQ(followed.messages(), "");
    // A link that is added later is reported, and so is one that can no longer be followed.
    filesystem::create_directory_symlink(folder_ / "later", source / "new");
    const auto soon = [](const filesystem::path& info, const char* text) {
      for (int i = 0; i < 1000; ++i) {
        if (read_all(info).find(text) != std::string::npos) return true;
        ::usleep(10'000);
      }
      return false;
    };
    EXPECT_TRUE(soon(kept / "info.txt", "refused: new: a link to a folder"));
    if (*sandbox == '\0' && can_be_strict()) {
      EXPECT_TRUE(soon(followed / "info.txt", "refused: new: Permission denied ("));
    }
    filesystem::remove(source / "new");
  }
}

// The other programs read the same files without a mount.
class ConfinedProgramsTest : public GuardedTest {
 protected:
  void SetUp() override {
    GuardedTest::SetUp();
    if (!can_be_strict()) GTEST_SKIP() << "no Landlock, no seccomp, or a sanitizer";
    source_ = linked_source();
  }
  static std::string program(const char* name) {
    return word(filesystem::path(scidfs_binary()).parent_path() / name);
  }
  // Runs a command, which must succeed, and returns how its process was confined before its end. A
  // short one may end before it was examined: then it runs again.
  static std::string confinement(const std::string& command) {
    return run_ok(
        fmt::format("for i in $(seq 100); do {} > /dev/null & p=$!; "
                    "while s=$(grep -hsE '^(NoNewPrivs|Seccomp):' /proc/$p/status); do "
                    "case $s in *Seccomp:*2) break;; esac; done; wait $p || exit; "
                    "case $s in *Seccomp:*2) echo \"$s\"; exit;; esac; done",
                    command));
  }
  static constexpr const char* kConfined = "NoNewPrivs:\t1\nSeccomp:\t2\n";

  filesystem::path source_;
};

TEST_F(ConfinedProgramsTest, CheckIsConfined) {
  const std::string check = word(scidfs_binary()) + " --check -o sandbox=strict ";
  EXPECT_EQ(confinement(check + word(sample_folder())), kConfined);
  EXPECT_EQ(run(check + word(source_)).exit_code, 3) << "links out of the source are not followed";
  // Archives need memory for unpacked data.
  run_ok(fmt::format("{} {} -o {}", program("scidfs-pack"), word(sample_database()),
                     word(source_ / "base.scv")));
  EXPECT_EQ(confinement(check + word(source_ / "base.scv")), kConfined);
}

TEST_F(ConfinedProgramsTest, BookIsConfined) {
  const filesystem::path book = folder_ / "out/book";
  filesystem::create_directory(folder_ / "out");
  const std::string build =
      fmt::format("{} build {} -o {} --sandbox=strict --memory 1 --links", program("scidfs-book"),
                  word(source_ / "sample.si4"), word(book));
  EXPECT_EQ(confinement(build), kConfined);
  EXPECT_EQ(confinement(build), kConfined) << "over the book that is there";
  EXPECT_THAT(names_in(folder_ / "out"),
              testing::ElementsAre("book.kin", "book.ksf", "book_0.kob"));
  for (const char* const name : {"book", "book.ksf"}) {
    EXPECT_EQ(confinement(fmt::format("{} dump {} --sandbox=strict", program("scidfs-book"),
                                      word(folder_ / "out" / name))),
              kConfined);
  }
}

TEST_F(ConfinedProgramsTest, PackIsConfined) {
  filesystem::create_directory(folder_ / "out");
  const std::string pack =
      fmt::format("{} {} -o {} --sandbox=strict", program("scidfs-pack"),
                  word(source_ / "sample.si4"), word(folder_ / "out/base.scv"));
  EXPECT_EQ(confinement(pack), kConfined);
  EXPECT_EQ(confinement(pack + " --force"), kConfined);
  EXPECT_THAT(names_in(folder_ / "out"), testing::ElementsAre("base.scv"));
}

class UsersTest : public GuardedTest {
 protected:
  void SetUp() override {
    GuardedTest::SetUp();
    if (::geteuid() != 0 || run("command -v setpriv && id nobody").exit_code != 0) {
      GTEST_SKIP() << "requires root, setpriv and the user nobody";
    }
    filesystem::permissions(folder_.path(), filesystem::perms(0755));
  }
  static Outcome as_nobody(const std::string& command) {
    return run("setpriv --reuid=nobody --regid=$(id -g nobody) --clear-groups " + command);
  }
};

TEST_F(UsersTest, OthersReadOnlyWithAllowOtherAndPermission) {
  const auto reading = "head -c 1 " + word(mountpoint_ / "sample.si4/all.pgn");
  run_ok(command(sample_folder()));
  EXPECT_THAT(as_nobody(reading).errors, HasSubstr("Permission denied"));
  run_ok("fusermount3 -u " + word(mountpoint_));

  run_ok(command(sample_folder(), "-o allow_other"));
  EXPECT_EQ(as_nobody(reading).out, "[");
  run_ok("fusermount3 -u " + word(mountpoint_));

  run_ok(command(sample_folder(), "-o allow_other,fmask=077"));
  EXPECT_EQ(as_nobody("ls " + word(mountpoint_)).exit_code, 0);
  EXPECT_THAT(as_nobody(reading).errors, HasSubstr("Permission denied"));
}

TEST_F(UsersTest, RunAsGivesDaemonAndFilesToUser) {
  const filesystem::path source = folder_ / "source";
  const filesystem::path cache = folder_ / "nobody";
  filesystem::copy(sample_folder(), source);
  filesystem::create_directory(cache);
  run_ok(fmt::format("chown -R nobody {0} {1}; chmod 700 {0}", word(source), word(cache)));
  run_ok(command(source, fmt::format("-o run_as=nobody,sandbox={},cache_dir={}",
                                     can_be_strict() ? "strict" : "auto", word(cache / "kept"))));
  const std::string all = word(mountpoint_ / "sample.si4/all.pgn");
  EXPECT_EQ(as_nobody("stat -c '%U %G' " + all).out,
            run_ok("id -nu nobody | tr '\\n' ' '; id -ng nobody"));
  EXPECT_EQ(as_nobody("head -c 1 " + all).out, "[");
  // Not even root, as for every mount of a user.
  EXPECT_NE(run("head -c 1 " + all).exit_code, 0);
  EXPECT_EQ(run_ok(fmt::format("stat -c %U {0}/kept {0}/kept/*", word(cache))), "nobody\nnobody\n");
  const std::string daemon = processes_of(mountpoint_, "scidfs");
  EXPECT_EQ(run_ok("stat -c %U /proc/" + daemon), "nobody\n");
  EXPECT_THAT(run_ok("cat /proc/" + daemon.substr(0, daemon.size() - 1) + "/status"),
              AllOf(HasSubstr("CapPrm:\t0000000000000000\n"), HasSubstr("\nGroups:\t65534 \n")));
  run_ok("kill -KILL " + daemon);
  EXPECT_TRUE(is_clean_soon(mountpoint_));
}

TEST_F(UsersTest, RunAsCannotReadWhatUserCannotRead) {
  const filesystem::path source = folder_ / "source";
  filesystem::copy(sample_folder(), source);
  filesystem::permissions(source, filesystem::perms(0700));
  const Outcome outcome = run(command(source, "-o run_as=nobody"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.errors, HasSubstr("Permission denied"));
  EXPECT_FALSE(is_mounted(mountpoint_));
}

TEST_F(UsersTest, RunAsRequiresRoot) {
  // A copy, because other users cannot read the folder of this build.
  const filesystem::path program = folder_ / "scidfs";
  filesystem::copy(scidfs_binary(), program);
  const Outcome outcome = as_nobody(fmt::format("env {} {} {} -o run_as=nobody", word(program),
                                                word(sample_folder()), word(mountpoint_)));
  EXPECT_THAT(outcome.errors, EndsWith("only root may use option run_as (see scidfs --help)\n"));
  EXPECT_EQ(outcome.exit_code, 2);
}

}  // namespace
}  // namespace scidfs::tests
