// Prefetch into the page cache: the same bytes with fewer requests.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <random>
#include <thread>

#include "tests/mounted/memory_group.h"
#include "tests/mounted/mounted.h"
#include "tests/support/random_game.h"
#include "tests/support/scid_database.h"
#include "tests/support/scid_writer.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;

class PrefetchTest : public MountedTest {
 protected:
  // The games of the mount as files, read one by one by a mount without prefetch.
  filesystem::path copied() {
    const Mount mount({.source = sample_folder(), .words = {"-s"}});
    EXPECT_TRUE(mount.ok());
    const filesystem::path copy = folder_ / "games";
    run_ok(fmt::format("cp -r {} {}", word(mount / "sample.si4/games"), word(copy)));
    EXPECT_EQ(counted(mount.path(), "files prefetched"), 0U);
    return copy;
  }

  // The text of a file, which must have its declared size; empty if its version is gone.
  static std::optional<std::string> try_read(const filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return std::nullopt;
    struct stat status {};
    EXPECT_EQ(::fstat(file, &status), 0);
    std::string text(static_cast<std::size_t>(status.st_size) + 1, '\0');
    const ssize_t got = ::read(file, text.data(), text.size());
    EXPECT_TRUE(got >= 0 || errno == ESTALE) << path << ": " << std::strerror(errno);
    ::close(file);
    if (got < 0) return std::nullopt;
    EXPECT_EQ(got, status.st_size) << path;
    text.resize(static_cast<std::size_t>(got));
    return text;
  }

  TemporaryFolder folder_;
};

constexpr std::uint64_t kGames = 1602;
// Usually all but a few. A slow daemon, or one without a processor for a while, prefetches less,
// because it skips files that the reader has passed.
const std::uint64_t kLeastPushed = is_sanitized() ? 1 : kGames / 8;

TEST_F(PrefetchTest, ReadersOfAllFilesCauseFewRequests) {
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
    const std::uint64_t reads = counted(mount.path(), "requests read");
    const std::uint64_t pushed = counted(mount.path(), "files prefetched");
    EXPECT_GE(reads + pushed, kGames);
    EXPECT_GE(pushed, kLeastPushed);
    RecordProperty("reads", static_cast<int>(reads));
  }
}

TEST_F(PrefetchTest, ListingAloneCausesNoPrefetch) {
  const Mount mount({.source = sample_folder()});
  ASSERT_TRUE(mount.ok());
  run_ok("find " + word(mount.path()) + " -size +1k > /dev/null; ls -lR " +
         word(mount / "sample.si4/games") + " > /dev/null");
  EXPECT_EQ(counted(mount.path(), "files prefetched"), 0U);
}

// A database is saved repeatedly while its files are read: each has its declared size, and is one
// of the saved versions.
TEST_F(PrefetchTest, FollowsSavesDuringReads) {
  constexpr std::size_t kOwnGames = 500;
  constexpr int kSaves = 20;
  const filesystem::path source = folder_ / "source";
  filesystem::create_directory(source);
  ScidWriter writer;
  Random random(7);
  for (std::size_t game = 0; game < kOwnGames; ++game) {
    writer.add(random_game(random, {.plies = 30}).record(), "White", fmt::format("Black {}", game));
  }
  std::vector<ScidFiles> saves;
  std::set<std::string> known;
  for (int save = 0; save < kSaves; ++save) {
    for (std::size_t game = 0; game < kOwnGames; ++game) {
      writer.set_white(game, fmt::format("White {} of {:>{}}", game, save, 1 + save));
    }
    saves.push_back(writer.files());
    write_scid_files(saves.back(), source / "a");
    for (const auto& game : ScidDatabase(source / "a").render_games()) known.insert(game.text);
  }
  write_scid_files(saves.front(), source / "a");
  const Mount mount({.source = source});
  ASSERT_TRUE(mount.ok());
  std::atomic<bool> is_over = false;
  std::atomic<std::size_t> read = 0;
  // Opens wait for the last save, however long that takes. Pauses grow, so that even a slow machine
  // reads a few files of one version.
  std::thread saver([&] {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    const auto is_enough = [&] {
      return read > kOwnGames && counted(mount.path(), "files prefetched") > 0;
    };
    for (int save = 0; save < kSaves || !is_enough(); ++save) {
      if (std::chrono::steady_clock::now() > end) break;
      write_scid_files(saves[static_cast<std::size_t>(save % kSaves)], source / "a");
      std::this_thread::sleep_for(std::chrono::milliseconds(100 * (1 + save / kSaves)));
    }
    is_over = true;
  });
  while (!is_over) {
    std::error_code error;
    for (const auto& entry : filesystem::directory_iterator(mount / "a.si4/games/00000", error)) {
      if (const auto text = try_read(entry.path())) {
        EXPECT_TRUE(known.contains(*text)) << entry.path() << ":\n" << *text;
        ++read;
      }
    }
  }
  saver.join();
  EXPECT_GT(read, kOwnGames);
  EXPECT_GT(counted(mount.path(), "files prefetched"), 0U);
}

// Prefetched pages use memory of the daemon's control group: if little is left, the kernel requests
// files instead.
TEST_F(PrefetchTest, LeavesRestOfMemoryOfControlGroup) {
  MemoryGroup group;
  if (!group.ok()) GTEST_SKIP() << "this user can make no control group with a limit of memory";
  const filesystem::path copy = copied();
  for (const bool is_full : {false, true}) {
    SCOPED_TRACE(is_full ? "full" : "empty");
    std::optional<Mount> mount;
    group.start(
        [&] { mount.emplace(MountSetup{.source = sample_folder(), .options = "cache=1M"}); });
    ASSERT_TRUE(mount->ok());
    if (is_full) group.fill();
    EXPECT_EQ(run("diff -r " + word(*mount / "sample.si4/games") + " " + word(copy)).exit_code, 0);
    EXPECT_EQ(counted(mount->path(), "files prefetched") == 0, is_full);
  }
}

// Readers get an error when the daemon ends; nothing hangs, and no process stays.
TEST_F(PrefetchTest, EndsDuringReads) {
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
    send_signal(mount.daemon(), is_killed ? SIGKILL : SIGTERM);
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
