// Many processes at once, and the end of the mount while they read.
//
// The load is short unless the environment sets SCIDFS_LOAD_PROCESSES (8), SCIDFS_LOAD_SECONDS (3)
// and SCIDFS_LOAD_GAMES (those of the sample; more are made of copies).
#include "tests/mounted/load.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cstdlib>
#include <functional>
#include <thread>

#include "tests/bench/multiplier.h"
#include "tests/mounted/mounted.h"
#include "tests/support/faulty_folder.h"

namespace scidfs::tests {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::seconds;

unsigned from_environment(const char* name, unsigned otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? static_cast<unsigned>(std::strtoul(value, nullptr, 10)) : otherwise;
}

class LoadTest : public MountedTest {};

TEST_F(LoadTest, ReadsAreCorrectAndMemoryIsBounded) {
  const unsigned processes = from_environment("SCIDFS_LOAD_PROCESSES", 8);
  const seconds time(from_environment("SCIDFS_LOAD_SECONDS", 3));
  const TemporaryFolder folder;
  std::string stem = test_data("sample/sample");
  if (const unsigned games = from_environment("SCIDFS_LOAD_GAMES", 0); games != 0) {
    const absl::Status made = bench::multiply(stem, games, folder / "large");
    ASSERT_TRUE(made.ok()) << std::string(made.message());
    stem = folder / "large";
  }
  const Load load(stem);
  Mount mount({.source = stem + ".si4"});
  ASSERT_TRUE(mount.ok());
  const LoadReport report = load.run(mount.path(), mount.daemon(), processes, time);
  fmt::print("{} processes, {} s\n{}", processes, time.count(), report.text());
  EXPECT_THAT(report.complaints, testing::IsEmpty());
  // No request starves while others are served.
  EXPECT_GT(report.fewest, 0U);
  // A sanitizer keeps freed memory.
  if (!is_sanitized()) {
    // The budget of the cache (64 MiB), lists made on demand, and working memory of threads; no
    // growth per read.
    constexpr std::uint64_t kMega = std::uint64_t{1} << 20;
    EXPECT_LT(report.memory_most, report.memory_before + 160 * kMega);
    EXPECT_LT(report.memory_end, report.memory_half + 64 * kMega);
  }
  EXPECT_EQ(mount.messages(), "");
  EXPECT_EQ(mount.unmount(), 0);
}

// Processes that read until a read fails.
class Readers {
 public:
  // Each calls read(its number) repeatedly, until it returns false.
  Readers(unsigned count, const std::function<bool(unsigned)>& read) {
    for (unsigned i = 0; i < count; ++i) {
      const pid_t child = ::fork();
      if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        while (read(i)) {
        }
        ::_exit(0);
      }
      if (child < 0) {
        ADD_FAILURE() << "cannot start process " << i;
        break;
      }
      children_.push_back(child);
    }
  }
  ~Readers() {
    for (const pid_t child : children_) {
      send_signal(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
  }
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;

  // Waits for all of them; returns how many have not ended in time.
  std::size_t wait(seconds limit) {
    for (const auto end = Clock::now() + limit; Clock::now() < end && !children_.empty();) {
      std::erase_if(children_,
                    [](pid_t child) { return ::waitpid(child, nullptr, WNOHANG) == child; });
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return children_.size();
  }

 private:
  std::vector<pid_t> children_;
};

// True if a file can be read to its end.
bool can_read(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  std::array<char, 65536> buffer{};
  ssize_t got = 0;
  while ((got = ::read(file, buffer.data(), buffer.size())) > 0) {
  }
  ::close(file);
  return got == 0;
}

// Ways to end a mount while programs read.
enum class Ending { Lazy, Terminated, Killed };

class EndingTest : public MountedTest, public testing::WithParamInterface<Ending> {
 protected:
  static void end(const Mount& mount) {
    switch (GetParam()) {
      case Ending::Lazy:
        run_ok("fusermount3 -u -z " + shell_word(mount.path().string()));
        break;
      case Ending::Terminated:
        send_signal(mount.daemon(), SIGTERM);
        break;
      case Ending::Killed:
        send_signal(mount.daemon(), SIGKILL);
        break;
    }
  }
  static void expect_end(Mount& mount) {
    EXPECT_EQ(mount.wait_for_end(), GetParam() == Ending::Killed ? 128 + SIGKILL : 0);
    // After a kill, the guardian unmounts shortly afterwards.
    for (int i = 0; i < 100 && is_mounted(mount.path()); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_FALSE(is_mounted(mount.path()));
  }
};

TEST_P(EndingTest, ReadersGetDataOrAnError) {
  Mount mount({.source = sample_database(), .options = "cache=0"});
  ASSERT_TRUE(mount.ok());
  Readers readers(8, [&](unsigned number) {
    return can_read(mount / (number % 2 == 0 ? "all.pgn" : fmt::format("games/{}.pgn", number)));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  end(mount);
  EXPECT_EQ(readers.wait(seconds(15)), 0U);
  expect_end(mount);
}

TEST_P(EndingTest, ReadersGetDataOrAnErrorWhileDiskIsSlow) {
  FaultyFolder faulty(sample_folder());
  ASSERT_TRUE(faulty.ok());
  Mount mount({.source = faulty / "sample.si4", .options = "cache=0"});
  ASSERT_TRUE(mount.ok());
  faulty.delay_reads(1500);
  Readers readers(4, [&](unsigned number) {
    return can_read(mount / fmt::format("games/{}.pgn", 100 + 100 * number));
  });
  for (int i = 0; i < 2000 && faulty.faults() == 0; ++i) ::usleep(5000);
  EXPECT_GT(faulty.faults(), 0U);
  end(mount);
  EXPECT_EQ(readers.wait(seconds(20)), 0U);
  expect_end(mount);
}

std::string name_of(const testing::TestParamInfo<Ending>& ending) {
  switch (ending.param) {
    case Ending::Lazy:
      return "Lazy";
    case Ending::Terminated:
      return "Terminated";
    case Ending::Killed:
      return "Killed";
  }
  return "";
}

INSTANTIATE_TEST_SUITE_P(All, EndingTest,
                         testing::Values(Ending::Lazy, Ending::Terminated, Ending::Killed),
                         name_of);

}  // namespace
}  // namespace scidfs::tests
