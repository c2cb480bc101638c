// Index files, by which a mount begins without reading the index of its database.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/bench/multiplier.h"
#include "tests/mounted/mounted.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::HasSubstr;

class IndexFileTest : public MountedTest {
 protected:
  void SetUp() override {
    MountedTest::SetUp();
    filesystem::create_directory(source_);
    const std::string sample = sample_folder() / "sample";
    ASSERT_TRUE(bench::multiply(sample, 11'000, source_ / "base").ok());
    make_old(source_);
  }

  // In the sandbox as strict as it can be: all that mapping takes is allowed.
  Mount mounted(std::string options = "index_cache=1G") const {
    if (can_be_strict()) options += ",sandbox=strict";
    return Mount({.source = source_ / "base.si4", .options = options, .cache_home = home_});
  }
  // Returns the index file; waits until there is one.
  filesystem::path index_file() const {
    constexpr int kTries = 3000;
    for (int i = 0; i < kTries; ++i) {
      for (const filesystem::path& file : files_below(home_)) {
        if (file.extension() == ".index" && file.filename().native().front() != '.') return file;
      }
      ::usleep(10'000);
    }
    ADD_FAILURE() << "no index file";
    return {};
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

}  // namespace
}  // namespace scidfs::tests
