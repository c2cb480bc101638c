// Mounts for which the user names no mount point: beside the source, or where the session keeps its
// files; scidfs -u, and commands by a first word.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <future>
#include <sstream>
#include <string>
#include <vector>

#include "tests/mounted/mounted.h"
#include "tests/support/scid_database.h"

namespace scidfs::tests {
namespace {

namespace filesystem = std::filesystem;
using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class OwnPlaceTest : public MountpointTest {
 protected:
  OwnPlaceTest() {
    filesystem::copy(sample_folder(), source_);
    filesystem::create_directory(folder_ / "run");
  }
  Outcome with_runtime(const std::string& words) {
    return run(fmt::format("XDG_RUNTIME_DIR={} XDG_CACHE_HOME={} {} {}", word(folder_ / "run"),
                           word(folder_ / "cache"), shell_word(scidfs_binary()), words));
  }
  Outcome show(const std::string& more = "") { return with_runtime(word(source_) + more); }
  Outcome end(const filesystem::path& shown) { return with_runtime("-u " + word(shown)); }

  filesystem::path source_ = folder_ / "my games";
  filesystem::path beside_ = folder_ / "my games-mnt";
};

TEST_F(OwnPlaceTest, IsMadeAndTakenAway) {
  const Outcome shown = show();
  EXPECT_EQ(shown.exit_code, 0) << shown.errors;
  EXPECT_THAT(shown.errors, AllOf(HasSubstr(beside_.string()), HasSubstr("scidfs -u ")));
  EXPECT_THAT(names_in(beside_), Contains("sample.si4"));
  // Each command that it names works.
  std::istringstream lines(shown.errors);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find("/tree/");
    if (at == std::string::npos) continue;
    EXPECT_THAT(run(line.substr(line.find("cat "))).out, HasSubstr("games"));
  }
  EXPECT_EQ(show().exit_code, 1) << "it is mounted there already";
  EXPECT_TRUE(is_mounted(beside_));
  EXPECT_EQ(end(source_).exit_code, 0);
  EXPECT_FALSE(filesystem::exists(beside_));
  const Outcome nothing = end(source_);
  EXPECT_EQ(nothing.exit_code, 1);
  EXPECT_THAT(nothing.errors, HasSubstr("Nothing to unmount"));

  EXPECT_EQ(show().exit_code, 0);
  EXPECT_EQ(end(beside_).exit_code, 0) << "by the mount point";
  EXPECT_FALSE(filesystem::exists(beside_));
  EXPECT_NE(show(" -o width=nonsense").exit_code, 0);
  EXPECT_FALSE(filesystem::exists(beside_));
}

TEST_F(OwnPlaceTest, AFolderThatWasThereStays) {
  filesystem::create_directory(beside_);
  EXPECT_EQ(show().exit_code, 0);
  EXPECT_TRUE(is_mounted(beside_));
  EXPECT_EQ(end(source_).exit_code, 0);
  EXPECT_TRUE(filesystem::exists(beside_));
}

TEST_F(OwnPlaceTest, IsElsewhereIfTheFirstPlaceHoldsSomething) {
  std::ofstream(folder_ / "my games-mnt") << "a file";
  EXPECT_EQ(show().exit_code, 0);
  const std::vector<std::string> places = names_in(folder_ / "run/scidfs");
  ASSERT_EQ(places.size(), 1U);
  EXPECT_THAT(places.front(), StartsWith("my games-"));
  EXPECT_THAT(names_in(folder_ / "run/scidfs" / places.front()), Contains("sample.si4"));
  EXPECT_EQ(end(source_).exit_code, 0);
  EXPECT_THAT(names_in(folder_ / "run/scidfs"), ElementsAre());

  filesystem::remove_all(folder_ / "run");
  const Outcome refused = show();
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("no empty folder"), HasSubstr("MOUNTPOINT")));
}

// The kernel writes some bytes of a source otherwise in its table.
TEST_F(OwnPlaceTest, IsFoundByAnyNameOfTheSource) {
  for (const char* const name : {"#h", "a\\040b", "tab\tx",
                                 "gr\xC3\xB6\xC3\x9F"
                                 "e"}) {
    const filesystem::path source = folder_ / name;
    filesystem::create_directory_symlink(source_, source);
    EXPECT_EQ(with_runtime(word(source)).exit_code, 0) << name;
    EXPECT_EQ(end(source).exit_code, 0) << name;
    EXPECT_FALSE(filesystem::exists(source.string() + "-mnt")) << name;
  }
  EXPECT_EQ(show().exit_code, 0);
  EXPECT_EQ(end(folder_ / "#h").exit_code, 0) << "a link to the source";
  EXPECT_FALSE(is_mounted(beside_));
}

TEST_F(OwnPlaceTest, OneOfSeveralAtOnceShowsIt) {
  for (int round = 0; round < 10; ++round) {
    constexpr std::size_t kAtOnce = 3;
    std::vector<std::future<Outcome>> runs;
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      runs.push_back(std::async(std::launch::async, [this] { return show(); }));
    }
    std::size_t good = 0;
    for (std::future<Outcome>& one : runs) {
      const Outcome outcome = one.get();
      if (outcome.exit_code == 0) {
        ++good;
      } else {
        EXPECT_THAT(outcome.errors, AnyOf(HasSubstr("Another scidfs is about to show"),
                                          HasSubstr("scidfs is mounted there already")));
      }
    }
    EXPECT_EQ(good, 1U);
    EXPECT_EQ(end(source_).exit_code, 0);
    EXPECT_FALSE(filesystem::exists(beside_));
  }
}

TEST_F(OwnPlaceTest, AMountInUseStays) {
  ASSERT_EQ(show().exit_code, 0);
  {
    const std::ifstream reader(beside_ / "info.txt");
    const Outcome refused = end(source_);
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.errors, HasSubstr("If programs use it, close them"));
    EXPECT_TRUE(is_mounted(beside_));
  }
  EXPECT_EQ(end(source_).exit_code, 0);
}

TEST_F(OwnPlaceTest, AFirstWordIsACommand) {
  EXPECT_THAT(with_runtime("get ls " + word(source_)).out, HasSubstr("sample.si4"));
  EXPECT_THAT(with_runtime("check " + word(source_)).out, HasSubstr("2 good"));
  EXPECT_EQ(with_runtime(fmt::format("mount {} {}", word(source_), word(mountpoint_))).errors, "");
  EXPECT_EQ(end(source_).exit_code, 0);
  filesystem::rename(source_, folder_ / "serve");
  EXPECT_EQ(
      run(fmt::format("cd {} && {} ./serve", word(folder_.path()), shell_word(scidfs_binary())))
          .exit_code,
      0);
  EXPECT_EQ(end(folder_ / "serve").exit_code, 0);
}

}  // namespace
}  // namespace scidfs::tests
