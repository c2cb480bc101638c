// The daemon under shortage of disk space, files or threads; and with a cache that other daemons
// use, or that are killed at any time.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <fstream>
#include <optional>
#include <random>
#include <thread>

#include "tests/mounted/mounted.h"
#include "tests/support/scid_database.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class LimitsTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    filesystem::create_directory(mountpoint_);
    filesystem::create_directory(home_);
    const Mount mount({.source = sample_database()});
    ASSERT_TRUE(mount.ok());
    text_ = read_all(mount / "all.pgn");
  }
  void TearDown() override {
    if (is_mounted(mountpoint_)) run("fusermount3 -u -z " + word(mountpoint_));
    ::umount2(home_.c_str(), MNT_DETACH);
  }

  // Mounts the sample with the cache folder of the test; returns the messages of the daemon.
  std::string messages_of_mount() {
    const Mount mount({.source = sample_database(), .options = "index=wait", .cache_home = home_});
    EXPECT_TRUE(mount.ok());
    EXPECT_TRUE(read_all(mount / "all.pgn") == text_);
    return mount.messages();
  }
  // The command line of a daemon that goes to the background, and saves only sizes.
  std::string command() const {
    return fmt::format("XDG_CACHE_HOME={} {} {} {} -o spelling=none,eco=none,fide=none",
                       word(home_), shell_word(scidfs_binary()), word(sample_database()),
                       word(mountpoint_));
  }
  // Expects that the mount works, or that it failed with a message. Returns which.
  bool mounted_or_refused(const Outcome& outcome) {
    if (outcome.exit_code == 0) {
      EXPECT_TRUE(read_all(mountpoint_ / "all.pgn") == text_);
      EXPECT_EQ(run("fusermount3 -u " + word(mountpoint_)).exit_code, 0);
      return true;
    }
    EXPECT_EQ(outcome.exit_code, 1) << outcome.errors;
    // libfuse itself prints why it cannot start fusermount3.
    std::string_view errors = outcome.errors;
    if (errors.starts_with("fuse: fork: ")) errors.remove_prefix(errors.find('\n') + 1);
    EXPECT_THAT(errors, StartsWith("scidfs: "));
    EXPECT_FALSE(is_mounted(mountpoint_)) << outcome.errors;
    return false;
  }

  TemporaryFolder folder_;
  const filesystem::path mountpoint_ = folder_ / "mnt";
  const filesystem::path home_ = folder_ / "cache";
  std::string text_;
};

TEST_F(LimitsTest, FullDiskGivesWarning) {
  if (::mount("tmpfs", home_.c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "requires to mount a tmpfs: " << std::strerror(errno);
  }
  run("cat /dev/zero > " + word(home_ / "filler"));
  EXPECT_THAT(messages_of_mount(),
              HasSubstr("No space left on device; sizes will be computed again"));
  for (const filesystem::path& file : files_below(home_)) EXPECT_EQ(file.filename(), "filler");
  filesystem::remove(home_ / "filler");
  EXPECT_EQ(messages_of_mount(), "");
  ASSERT_EQ(files_below(home_).size(), 1U);
  EXPECT_THAT(files_below(home_)[0], EndsWith(".sizes"));
}

TEST_F(LimitsTest, FileSizeLimitGivesWarning) {
  const Outcome outcome = run("ulimit -f 1; " + command() + " -o index=wait");
  EXPECT_THAT(outcome.errors, HasSubstr("File too large (see ulimit -f); sizes will be computed"));
  EXPECT_TRUE(mounted_or_refused(outcome));
  EXPECT_THAT(files_below(home_), IsEmpty());
}

TEST_F(LimitsTest, ReadOnlyCacheGivesWarning) {
  if (::mount("tmpfs", home_.c_str(), "tmpfs", MS_RDONLY, "size=64k") != 0) {
    GTEST_SKIP() << "requires to mount a tmpfs: " << std::strerror(errno);
  }
  EXPECT_THAT(messages_of_mount(),
              HasSubstr("Read-only file system; sizes will be computed again"));
  EXPECT_THAT(files_below(home_), IsEmpty());
}

TEST_F(LimitsTest, CacheOfOtherVersionIsMadeAgain) {
  EXPECT_EQ(messages_of_mount(), "");
  ASSERT_EQ(files_below(home_).size(), 1U);
  const filesystem::path file = files_below(home_)[0];
  const std::string good = read_file(file);
  std::string other = good;
  other[8] = 9;  // the layout
  std::ofstream(file, std::ios::binary | std::ios::trunc) << other;
  EXPECT_EQ(messages_of_mount(), "");
  EXPECT_TRUE(read_file(file) == good);
}

TEST_F(LimitsTest, DaemonsShareOneCache) {
  for (int round = 0; round < 5; ++round) {
    filesystem::remove_all(home_);
    std::string both;
    for (const char* const name : {"a", "b"}) {
      filesystem::create_directories(folder_ / name);
      both += fmt::format(
          "XDG_CACHE_HOME={} {} {} {} -o index=wait,spelling=none,eco=none,fide=none & ",
          word(home_), shell_word(scidfs_binary()), word(sample_database()), word(folder_ / name));
    }
    EXPECT_EQ(run(both + "wait").errors, "");
    for (const char* const name : {"a", "b"}) {
      EXPECT_TRUE(read_all(folder_ / name / "all.pgn") == text_);
      EXPECT_EQ(run("fusermount3 -u " + word(folder_ / name)).exit_code, 0);
    }
    EXPECT_EQ(files_below(home_).size(), 1U);
  }
}

TEST_F(LimitsTest, DaemonKilledDuringStartLeavesValidCache) {
  std::mt19937 random(1);
  for (int round = 0; round < 30; ++round) {
    if (round % 3 == 0) filesystem::remove_all(home_);
    // As long as a whole start, and longer.
    const unsigned microseconds = static_cast<unsigned>(random() % 40'000);
    run(fmt::format("{} -f & sleep {:.6f}; kill -9 $!; wait", command(), microseconds / 1e6));
    const Outcome next = run(command());
    EXPECT_EQ(next.exit_code, 0) << next.errors;
    EXPECT_TRUE(next.errors.empty() || next.errors.find("cleaned up") != std::string::npos)
        << next.errors;
    EXPECT_TRUE(read_all(mountpoint_ / "all.pgn") == text_);
    EXPECT_EQ(run("fusermount3 -u " + word(mountpoint_)).exit_code, 0);
    EXPECT_EQ(files_below(home_).size(), 1U);
  }
}

TEST_F(LimitsTest, StartWithoutDescriptorsFailsWithMessage) {
  if (is_sanitized()) GTEST_SKIP() << "a sanitizer cannot do without descriptors of its own";
  unsigned mounted = 0;
  unsigned refused = 0;
  // With fewer, no program starts at all.
  for (int files = 7; files <= 30; ++files) {
    const Outcome outcome = run(fmt::format("ulimit -n {}; {}", files, command()));
    ++(mounted_or_refused(outcome) ? mounted : refused);
  }
  EXPECT_GT(mounted, 0U);
  EXPECT_GT(refused, 0U);
}

TEST_F(LimitsTest, ManyDatabasesOpenUnderSoftLimit) {
  const filesystem::path source = folder_ / "source";
  filesystem::create_directory(source);
  constexpr int kDatabases = 60;
  for (int i = 0; i < kDatabases; ++i) {
    for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
      filesystem::copy_file(test_data(std::string("scid4/fen") + extension),
                            source / fmt::format("{}{}", i, extension));
    }
  }
  const Outcome outcome =
      run(fmt::format("ulimit -Sn 64; XDG_CACHE_HOME={} {} {} {}", word(home_),
                      shell_word(scidfs_binary()), word(source), word(mountpoint_)));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.errors, "");
  EXPECT_EQ(names_in(mountpoint_).size(),
            kDatabases + 4U);  // README.txt, status.txt, info.txt, index.html
}

// Reads with more threads than the daemon has.
unsigned count_wrong_reads(const Mount& mount, const std::string& text) {
  std::atomic<unsigned> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 12; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) {
        const int file = ::open((mount / "all.pgn").c_str(), O_RDONLY | O_CLOEXEC);
        ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
        std::vector<char> buffer(100'000);
        const std::size_t offset = (i * 37'000 + static_cast<unsigned>(round) * 11'000) % 400'000;
        const ssize_t got = ::pread(file, buffer.data(), buffer.size(), static_cast<off_t>(offset));
        ::close(file);
        if (got != static_cast<ssize_t>(buffer.size()) ||
            text.compare(offset, buffer.size(), buffer.data(), buffer.size()) != 0) {
          ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return wrong;
}

TEST_F(LimitsTest, RequestsAreAnsweredWithoutDescriptors) {
  if (is_sanitized()) GTEST_SKIP() << "a sanitizer cannot do without descriptors of its own";
  const Mount mount({.source = sample_database(), .options = "cache=0"});
  ASSERT_TRUE(mount.ok());
  rlimit none{.rlim_cur = 3, .rlim_max = 3};
  ASSERT_EQ(::prlimit(mount.daemon(), RLIMIT_NOFILE, &none, nullptr), 0) << std::strerror(errno);
  EXPECT_EQ(count_wrong_reads(mount, text_), 0U);
}

// A control group with a limit on threads.
class ThreadLimit {
 public:
  ThreadLimit() {
    for (const char* const root : {"/sys/fs/cgroup/pids", "/sys/fs/cgroup"}) {
      folder_ = fmt::format("{}/scidfs-test-{}", root, ::getpid());
      std::error_code error;
      if (filesystem::create_directory(folder_, error) &&
          filesystem::exists(folder_ / "pids.max")) {
        return;
      }
      filesystem::remove(folder_, error);
    }
    folder_.clear();
  }
  ~ThreadLimit() {
    // The last process may not have ended yet.
    for (int i = 0; ok() && i < 200 && ::rmdir(folder_.c_str()) != 0; ++i) ::usleep(10'000);
  }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

  bool ok() const { return !folder_.empty(); }
  std::string processes() const { return (folder_ / "cgroup.procs").string(); }
  void add(pid_t process) const { std::ofstream(processes()) << process; }
  void set(const std::string& most) const { std::ofstream(folder_ / "pids.max") << most; }

 private:
  filesystem::path folder_;
};

TEST_F(LimitsTest, RequestsAreAnsweredWithoutThreads) {
  const ThreadLimit limit;
  if (!limit.ok()) GTEST_SKIP() << "requires a control group for pids";
  const Mount mount({.source = sample_database(), .options = "cache=0"});
  ASSERT_TRUE(mount.ok());
  limit.add(mount.daemon());
  limit.set("1");
  EXPECT_EQ(count_wrong_reads(mount, text_), 0U);
  limit.set("max");  // a leak checker needs a thread at the end
}

TEST_F(LimitsTest, StartWithoutThreadsFailsWithMessage) {
  if (is_sanitized()) GTEST_SKIP() << "a leak checker cannot do without a thread of its own";
  const ThreadLimit limit;
  if (!limit.ok()) GTEST_SKIP() << "requires a control group for pids";
  unsigned mounted = 0;
  for (int threads = 2; threads <= 16; ++threads) {
    limit.set("max");
    const Outcome outcome = run(fmt::format(
        "echo $$ > {}; echo {} > {}; exec env {}", limit.processes(), threads,
        filesystem::path(limit.processes()).parent_path().string() + "/pids.max", command()));
    if (mounted_or_refused(outcome)) ++mounted;
  }
  EXPECT_GT(mounted, 0U);
}

}  // namespace
}  // namespace scidfs::tests
