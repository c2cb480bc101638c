// Index files, by which a mount begins without reading the index of its database.
#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/multiplier.h"
#include "tests/mounted/mounted.h"
#include "tests/support/random_game.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

std::uint32_t from_environment(const char* variable, std::uint32_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

class IndexFileTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    filesystem::create_directory(source_);
    const std::string sample = sample_folder() / "sample";
    const std::uint32_t games = from_environment("SCIDFS_INDEXED_GAMES", 11'000);
    ASSERT_TRUE(bench::multiply(sample, games, source_ / "base").ok());
    make_old(source_);
  }

  // In the sandbox as strict as it can be: all that mapping takes is allowed.
  Mount mounted(std::string options = "index_cache=1G") const {
    if (can_be_strict()) options += ",sandbox=strict";
    return Mount({.source = source_ / "base.si4", .options = options, .cache_home = home_});
  }
  static bool is_index(const filesystem::path& file) {
    return file.extension() == ".index" && file.filename().native().front() != '.';
  }
  // Returns the index file; waits until there is one.
  filesystem::path index_file() const {
    constexpr int kTries = 3000;
    for (int i = 0; i < kTries; ++i) {
      for (const filesystem::path& file : files_below(home_)) {
        if (is_index(file)) return file;
      }
      ::usleep(10'000);
    }
    ADD_FAILURE() << "no index file";
    return {};
  }
  // Returns the unfinished files in the cache folder.
  std::vector<std::string> unfinished() const {
    std::vector<std::string> names;
    for (const filesystem::path& file : files_below(home_)) {
      if (file.filename().native().front() == '.') names.push_back(file.filename());
    }
    return names;
  }
  // Returns whether a daemon has an index file mapped.
  static bool maps(const Mount& mount) {
    return read_file(fmt::format("/proc/{}/maps", mount.daemon())).find(".index\n") !=
           std::string::npos;
  }
  // Names, sizes, inode numbers and times of everything that is listed, and the bytes of all that
  // is not a file of one game.
  static std::string tree(const filesystem::path& mount) {
    return run_ok("cd " + word(mount) +
                  " && find . ! -name status.txt -printf '%P %s %i %T@\\n' | sort"
                  " && find . -type f ! -name status.txt ! -path './games/*' ! -path './fens/*'"
                  " ! -path './players/*' ! -path './events/*' | sort | xargs -d '\\n' md5sum");
  }

  TemporaryFolder folder_;
  const filesystem::path source_ = folder_ / "source";
  const filesystem::path home_ = folder_ / "cache";
};

TEST_F(IndexFileTest, WholeTreesAreEqualWithAndWithoutIt) {
  std::string made;
  {
    const Mount mount = mounted();
    ASSERT_TRUE(mount.ok());
    made = tree(mount.path());
    EXPECT_FALSE(index_file().empty());
  }
  {
    const Mount mount = mounted();
    ASSERT_TRUE(mount.ok());
    EXPECT_TRUE(tree(mount.path()) == made);
    EXPECT_EQ(mount.messages(), "");
  }
  const Mount mount = mounted("index_cache=0");
  ASSERT_TRUE(mount.ok());
  EXPECT_TRUE(tree(mount.path()) == made);
}

TEST_F(IndexFileTest, ProgramsThatCutOrOverwriteItChangeNoAnswer) {
  std::string expected;
  {
    const Mount first = mounted();
    ASSERT_TRUE(first.ok());
    expected = read_all(first / "index.tsv") + read_all(first / "players.tsv");
    index_file();
  }
  const Mount one = mounted();
  const Mount other = mounted();
  ASSERT_TRUE(one.ok() && other.ok());
  const filesystem::path file = index_file();
  // Not by truncate(1), which does not wait for leases.
  run_ok("dd bs=5000 count=0 seek=1 of=" + word(file));
  run_ok("head -c 300000 /dev/zero > " + word(file));
  for (const Mount* const mount : {&one, &other}) {
    EXPECT_TRUE(read_all(*mount / "index.tsv") + read_all(*mount / "players.tsv") == expected);
    EXPECT_EQ(mount->messages(), "");
  }
  // What is left of it is not used, and not replaced: it does not say that it is of scidfs.
  const Mount next = mounted();
  ASSERT_TRUE(next.ok());
  EXPECT_THAT(next.messages(), HasSubstr("it is no index file of scidfs"));
  EXPECT_TRUE(read_all(next / "index.tsv") + read_all(next / "players.tsv") == expected);
}

TEST_F(IndexFileTest, DaemonsThatBeginTogetherMakeOne) {
  constexpr std::size_t kDaemons = 3;
  std::array<std::unique_ptr<Mount>, kDaemons> mounts;
  std::vector<std::thread> threads;
  for (std::unique_ptr<Mount>& mount : mounts) {
    threads.emplace_back([&] {
      mount = std::unique_ptr<Mount>(new Mount(
          {.source = source_ / "base.si4", .options = "index_cache=1G", .cache_home = home_}));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mount : mounts) ASSERT_TRUE(mount->ok());
  const std::string made = read_file(index_file());
  Mount later = mounted();
  ASSERT_TRUE(later.ok());
  EXPECT_TRUE(maps(later));
  const std::string expected = read_all(later / "index.tsv") + read_all(later / "players.tsv");
  for (const auto& mount : mounts) {
    EXPECT_FALSE(maps(*mount));
    EXPECT_TRUE(read_all(*mount / "index.tsv") + read_all(*mount / "players.tsv") == expected);
    EXPECT_EQ(mount->messages(), "");
    EXPECT_EQ(mount->unmount(), 0);
  }
  EXPECT_TRUE(read_file(index_file()) == made);
  EXPECT_EQ(later.unmount(), 0);
  EXPECT_THAT(unfinished(), IsEmpty());
}

// Kills a daemon at some moment of its start, or when it has begun to write the file. The next
// mount makes the file, and leaves nothing else. SCIDFS_INDEX_KILLS is the number of moments, and
// SCIDFS_INDEXED_GAMES the games of the database.
TEST_F(IndexFileTest, KilledMakersLeaveNothingForLong) {
  const std::uint32_t kills = from_environment("SCIDFS_INDEX_KILLS", 10);
  std::string good;
  const auto begin = std::chrono::steady_clock::now();
  {
    const Mount mount = mounted();
    ASSERT_TRUE(mount.ok());
    good = read_file(index_file());
  }
  const std::chrono::duration<double> whole = std::chrono::steady_clock::now() - begin;
  Random random(1);
  std::size_t interrupted = 0;
  for (std::uint32_t kill = 0; kill < kills && !HasFailure(); ++kill) {
    filesystem::remove(index_file());
    const filesystem::path mountpoint = folder_ / fmt::format("killed-{}", kill);
    filesystem::create_directory(mountpoint);
    const double pause = static_cast<double>(random.below(1000)) / 1000;
    // A shell that looks for the unfinished file all the time misses it rarely.
    const std::string moment =
        kill % 2 == 0 ? fmt::format("sleep {:.4f}", pause * whole.count())
                      : fmt::format(
                            "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); "
                            "for f in {}/.*.index.*; do [ -e \"$f\" ] && break 2; done; "
                            "done; sleep {:.4f}",
                            word(home_ / "scidfs"), pause * whole.count() / 20);
    run_ok(
        fmt::format("XDG_CACHE_HOME={} {} {} {} -f -o "
                    "index_cache=1G,spelling=none,eco=none,fide=none & daemon=$!; {}; "
                    "kill -9 $daemon; wait $daemon; fusermount3 -u -z {} 2> /dev/null; true",
                    word(home_), word(scidfs_binary()), word(source_ / "base.si4"),
                    word(mountpoint), moment, word(mountpoint)));
    if (!unfinished().empty()) ++interrupted;
    for (const filesystem::path& file : files_below(home_)) {
      EXPECT_TRUE(!is_index(file) || read_file(file) == good) << kill;
    }
    Mount mount = mounted();
    ASSERT_TRUE(mount.ok());
    EXPECT_TRUE(read_file(index_file()) == good) << kill;
    EXPECT_EQ(mount.messages(), "") << kill;
    EXPECT_EQ(mount.unmount(), 0);
    EXPECT_THAT(unfinished(), IsEmpty()) << kill;
  }
  std::printf("%u makers killed, %zu of them while they wrote\n", kills, interrupted);
}

}  // namespace
}  // namespace scidfs::tests
