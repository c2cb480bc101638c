// Limits on the resources that many databases, long queries and listings use.
#include <dirent.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>

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

// Resident memory of a daemon in KiB.
std::uint64_t resident(const Mount& mount) {
  std::ifstream file(fmt::format("/proc/{}/status", mount.daemon()));
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmRSS:")) return std::stoull(line.substr(6));
  }
  return 0;
}

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
