// What the kernel is given before it asks: the same bytes, for fewer requests.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <random>
#include <regex>
#include <thread>

#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

// A line of status.txt.
std::uint64_t counted(const Mount& mount, const std::string& what) {
  const std::string text = run_ok("cat " + word(mount / "status.txt"));
  std::smatch found;
  if (!std::regex_search(text, found, std::regex(what + ": ([0-9]+)\n"))) {
    ADD_FAILURE() << what << " is not among\n" << text;
    return 0;
  }
  return std::stoull(found[1]);
}

class PushingTest : public MountedTest {
 protected:
  // The mount's games as files, read one by one by a mount that gives nothing unasked.
  filesystem::path copied() {
    const Mount mount({.source = sample_folder(), .words = {"-s"}});
    EXPECT_TRUE(mount.ok());
    const filesystem::path copy = folder_ / "games";
    run_ok(fmt::format("cp -r {} {}", word(mount / "sample.si4/games"), word(copy)));
    EXPECT_EQ(counted(mount, "files pushed"), 0U);
    return copy;
  }

  TemporaryFolder folder_;
};

constexpr std::uint64_t kGames = 1602;

TEST_F(PushingTest, ProgramsThatReadAllAskForLittle) {
  const filesystem::path copy = copied();
  for (const std::string program : {"diff -r {0} {1}", "cp -r {0} {2} && diff -r {2} {1}",
                                    "cat {0}/*/* | cmp - <(cat {1}/*/*)"}) {
    SCOPED_TRACE(program);
    const Mount mount({.source = sample_folder()});
    ASSERT_TRUE(mount.ok());
    const TemporaryFolder other;
    const std::string line = fmt::format(fmt::runtime(program), word(mount / "sample.si4/games"),
                                         word(copy), word(other / "copy"));
    EXPECT_EQ(run("bash -c " + shell_word(line)).exit_code, 0);
    const std::uint64_t reads = counted(mount, "requests read");
    const std::uint64_t pushed = counted(mount, "files pushed");
    EXPECT_GE(reads + pushed, kGames);
    EXPECT_GT(pushed, kGames / 2);
    RecordProperty("reads", static_cast<int>(reads));
  }
}

TEST_F(PushingTest, ProgramsThatListAreGivenNothing) {
  const Mount mount({.source = sample_folder()});
  ASSERT_TRUE(mount.ok());
  run_ok("find " + word(mount.path()) + " -size +1k > /dev/null; ls -lR " +
         word(mount / "sample.si4/games") + " > /dev/null");
  EXPECT_EQ(counted(mount, "files pushed"), 0U);
}

// Whoever reads while the daemon ends is told so; nothing hangs, and nothing stays.
TEST_F(PushingTest, EndsInTheMiddle) {
  std::mt19937 random(1);
  for (int round = 0; round < 24; ++round) {
    const bool is_killed = round % 2 == 0;
    SCOPED_TRACE(is_killed ? "killed" : "ended");
    Mount mount({.source = sample_folder()});
    ASSERT_TRUE(mount.ok());
    std::thread reader([games = mount / "sample.si4/games"] {
      constexpr unsigned kPatience = 20;  // seconds
      while (run("grep -rc zzz " + word(games), kPatience).exit_code < 2) continue;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + random() % 40));
    ::kill(mount.daemon(), is_killed ? SIGKILL : SIGTERM);
    const int code = mount.wait_for_end();
    EXPECT_TRUE(is_killed || code == 0) << code;
    reader.join();
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (is_mounted(mount.path()) && std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_FALSE(is_mounted(mount.path()));
  }
}

}  // namespace
}  // namespace scidfs::tests
