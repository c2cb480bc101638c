// Limits on the resources that many databases, long queries and listings use.
#include <dirent.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/multiplier.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsSupersetOf;

class CostsTest : public MountedTest {
 protected:
  static std::uint64_t status(const Mount& mount, const std::string& key) {
    const std::string text = read_all(mount / "status.txt");
    std::smatch found;
    const bool is_there = std::regex_search(text, found, std::regex("\n" + key + ": (\\d+)\n"));
    EXPECT_TRUE(is_there) << key;
    return is_there ? std::stoull(found[1]) : 0;
  }

  TemporaryFolder folder_;
};

// Returns a number in KiB that the kernel knows of a daemon.
std::uint64_t memory(const Mount& mount, const std::string& key) {
  std::ifstream file(fmt::format("/proc/{}/status", mount.daemon()));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return std::stoull(line.substr(key.size()));
  }
  return 0;
}
std::uint64_t resident(const Mount& mount) { return memory(mount, "VmRSS:"); }

// The directories of ten thousand names use two megabytes.
TEST_F(CostsTest, ManySmallDatabasesShareTheNamesOfOpenings) {
  if (is_sanitized()) GTEST_SKIP() << "a sanitizer keeps memory that was given back";
  constexpr int kDatabases = 100;
  const filesystem::path source = folder_ / "source";
  filesystem::create_directory(source);
  for (int i = 0; i < kDatabases; ++i) {
    for (const char* const extension : {".si4", ".sg4", ".sn4"}) {
      filesystem::copy_file(test_data(std::string("scid4/results") + extension),
                            source / fmt::format("{}{}", i, extension));
    }
  }
  make_old(source);
  std::ofstream names(folder_ / "names.eco");
  for (int i = 0; i < 10'000; ++i) {
    names << fmt::format("B{:02} \"Opening {}: Variation {}\" 1.{}4 *\n", i % 100, i / 100, i,
                         "abcdefgh"[i % 8]);
  }
  names.close();
  const Mount mount({.source = source, .options = "eco=" + (folder_ / "names.eco").string()});
  ASSERT_TRUE(mount.ok());
  const std::uint64_t before = resident(mount);
  for (int i = 0; i < kDatabases; ++i) {
    const filesystem::path database = mount / fmt::format("{}.si4", i);
    EXPECT_THAT(names_in(database / "openings"), Contains("codes.tsv"));
    EXPECT_FALSE(names_in(database / "years").empty());
  }
  EXPECT_LT(resident(mount), before + 30'000);
}

// Asks for files of many sets at a time; returns the most memory that the daemon needed, in KiB.
std::uint64_t ask_at_once(const filesystem::path& source, const std::string& options) {
  const Mount mount({.source = source, .options = options});
  EXPECT_TRUE(mount.ok());
  std::vector<std::thread> askers;
  for (const char* const name :
       {"lines/games=1,plies=24.pgn", "lines/games=1,plies=30.pgn", "lines/games=1,plies=36.pgn",
        "book/games=1,plies=24.bin", "events.tsv", "players.tsv", "games.uci"}) {
    for (const char* const set : {"search/plies=1..", "search/plies=2..", "search/plies=3.."}) {
      askers.emplace_back([path = mount / set / name] {
        std::ifstream file(path, std::ios::binary);
        std::string room(1 << 20, 0);
        while (file.read(room.data(), static_cast<std::streamsize>(room.size()))) continue;
      });
    }
  }
  for (std::thread& asker : askers) asker.join();
  return memory(mount, "VmHWM:");
}

// What scidfs(1) says, MEMORY.
TEST_F(CostsTest, MemoryStaysWithinItsBudgetsWhateverIsAsked) {
  if (is_sanitized()) GTEST_SKIP() << "a sanitizer keeps memory that was given back";
  constexpr std::uint32_t kGames = 100'000;
  const std::string sample = sample_database().replace_extension().string();
  ASSERT_TRUE(bench::multiply(sample, kGames, (folder_ / "large").string(), bench::kNameLimits,
                              bench::Copies::OwnMoves)
                  .ok());
  const filesystem::path large = folder_ / "large.si4";
  constexpr std::uint64_t kItself = 40, kOfGames = 8, kOfRequests = 40;  // MiB
  constexpr std::uint64_t kAll = (kItself + kOfGames + kOfRequests + 16 + 8 + 3 * 32) * 1024;
  EXPECT_LT(ask_at_once(large, "cache=16M,answers=8M,questions=32M"), kAll);
  // So much do the same questions need where nothing bounds them, and each gives memory back.
  EXPECT_GT(ask_at_once(large, "cache=16M,answers=8M,questions=4G"), kAll * 4 / 3);
}

// One pass over all games for a listing, instead of one for each name.
TEST_F(CostsTest, ListingOfTreeCountsGamesOnce) {
  const Mount mount({.source = sample_database(), .options = "answers=0"});
  ASSERT_TRUE(mount.ok());
  const std::uint64_t before = status(mount, "answers made");
  const std::string listed = run_ok("ls " + word(mount / "tree"));
  EXPECT_THAT(listed, HasSubstr("moves.txt\n"));
  EXPECT_THAT(listed, HasSubstr("e4\n"));
  EXPECT_GE(std::ranges::count(listed, '\n'), 5);
  // And two results for each of the three files, whose sizes are part of the listing.
  EXPECT_LE(status(mount, "answers made"), before + 1 + 2 * 3);
}

TEST_F(CostsTest, TooLongQueryIsRefusedWithoutEvictingOthers) {
  const Mount mount({.source = sample_database()});
  ASSERT_TRUE(mount.ok());
  struct stat first {};
  ASSERT_EQ(::stat((mount / "search/eco=B").c_str(), &first), 0);
  filesystem::path path = mount / "search/eco=B";
  for (int i = 0; i < 214; ++i) path = path / "search/eco=B";
  struct stat found {};
  for (int round = 0; round < 50; ++round) {
    EXPECT_EQ(::stat(path.c_str(), &found), -1);
    EXPECT_EQ(errno, ENAMETOOLONG);
    ASSERT_EQ(::stat((mount / "search/eco=B").c_str(), &found), 0) << std::strerror(errno);
    EXPECT_EQ(found.st_ino, first.st_ino);
  }
  EXPECT_THAT(read_all(mount / "status.txt"),
              HasSubstr("\nno query: eco=B: the query is too long, "));
}

// A directory of a query stays usable after thousands of other queries.
TEST_F(CostsTest, EvictedQueryCanStillBeListed) {
  const Mount mount({.source = sample_database()});
  ASSERT_TRUE(mount.ok());
  DIR* const directory = ::opendir((mount / "search/eco=B").c_str());
  ASSERT_NE(directory, nullptr);
  struct stat found {};
  for (int i = 1; i <= 30'000; ++i) {
    ASSERT_EQ(::stat((mount / fmt::format("search/number={}", i)).c_str(), &found), 0);
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* const entry = ::readdir(directory)) names.emplace_back(entry->d_name);
  EXPECT_EQ(errno, 0) << std::strerror(errno);
  EXPECT_THAT(names, IsSupersetOf({"index.tsv", "summary.txt"}));
  ::closedir(directory);
}

}  // namespace
}  // namespace scidfs::tests
