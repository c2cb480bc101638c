#include "fs/options/advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

class AdviceTest : public testing::Test {
 protected:
  AdviceTest() {
    for (const char* const name :
         {"masters.si4", "masters.sg4", "masters.sn4", "lone.sg4", "games.pgn", "book_0.kob",
          "book_1.kob", "book.kin", "some.txt"}) {
      std::ofstream(folder_ / name) << "bytes";
    }
  }

  std::string advice(const std::string& name) {
    return std::string(check_source(folder_ / name).message());
  }

  tests::TemporaryFolder folder_;
};

TEST_F(AdviceTest, ValidSourcesNeedNone) {
  for (const char* const name : {"", "masters.si4", "book_0.kob", "some.txt"}) {
    EXPECT_TRUE(check_source(folder_ / name).ok()) << name;
  }
}

TEST_F(AdviceTest, PartsOfDatabaseSuggestItsIndex) {
  for (const char* const name : {"masters", "masters.sg4", "masters.sn4"}) {
    EXPECT_THAT(advice(name), EndsWith("; did you mean masters.si4?")) << name;
  }
  EXPECT_THAT(advice("lone.sg4"), EndsWith("; lone.si4 is missing"));
  for (const char* const name : {"book", "book.kin"}) {
    EXPECT_THAT(advice(name), EndsWith("; did you mean book_0.kob?")) << name;
  }
}

TEST_F(AdviceTest, ExtensionsIgnoreCase) {
  for (const char* const name : {"MEGA.SI4", "MEGA.SG4", "ALONE.SN4", "BOOK_0.KOB", "GAMES.PGN"}) {
    tests::write_file(folder_ / name, "bytes");
  }
  for (const char* const name : {"MEGA.SI4", "BOOK_0.KOB", "GAMES.PGN"}) {
    EXPECT_TRUE(check_source(folder_ / name).ok()) << name;
  }
  for (const char* const name : {"MEGA", "MEGA.SG4"}) {
    EXPECT_THAT(advice(name), EndsWith("; did you mean MEGA.SI4?")) << name;
  }
  EXPECT_THAT(advice("ALONE.SN4"), EndsWith("; ALONE.SI4 is missing"));
  tests::write_file(folder_ / "BOOK.KIN", "bytes");
  EXPECT_THAT(advice("BOOK.KIN"), EndsWith("; did you mean BOOK_0.KOB?"));
}

TEST_F(AdviceTest, MissingSourceIsReported) {
  EXPECT_THAT(advice("none"), EndsWith("none: No such file or directory"));
  EXPECT_THAT(advice("~/chess"), EndsWith("type: \"$HOME/chess\""));
}

TEST_F(AdviceTest, FolderWithoutSourcesIsReported) {
  const auto warning = [](const stdfs::path& source, bool follow_links = false) {
    testing::internal::CaptureStderr();
    warn_if_nothing_to_show(source, follow_links);
    return testing::internal::GetCapturedStderr();
  };
  stdfs::create_directories(folder_ / "empty/below");
  EXPECT_THAT(warning(folder_ / "empty"), HasSubstr("there is nothing to show yet"));
  EXPECT_EQ(warning(folder_.path()), "");
  stdfs::create_directory(folder_ / "capitals");
  tests::write_file(folder_ / "capitals/MEGA.SI4", "bytes");
  EXPECT_EQ(warning(folder_ / "capitals"), "");
  stdfs::create_directory(folder_ / "linked");
  stdfs::create_directory_symlink(folder_ / "capitals", folder_ / "linked/link");
  EXPECT_THAT(warning(folder_ / "linked"), HasSubstr("there is nothing to show yet"));
  EXPECT_EQ(warning(folder_ / "linked", true), "");
  EXPECT_EQ(warning(folder_ / "masters.si4"), "");
}

TEST(ApparmorAdvice, IsGivenIfProfileConfinesMounts) {
  const tests::TemporaryFolder folder;
  const std::filesystem::path root = folder.path();
  EXPECT_EQ(apparmor_advice("/data/my mnt", root), "");
  std::filesystem::create_directories(root / "sys/module/apparmor/parameters");
  std::filesystem::create_directories(root / "etc/apparmor.d");
  tests::write_file(root / "etc/apparmor.d/fusermount3", "profile fusermount3 {}\n");
  tests::write_file(root / "sys/module/apparmor/parameters/enabled", "N\n");
  EXPECT_EQ(apparmor_advice("/data/my mnt", root), "");
  tests::write_file(root / "sys/module/apparmor/parameters/enabled", "Y\n");
  EXPECT_THAT(
      apparmor_advice("/data/my mnt", root),
      AllOf(HasSubstr("mount fstype=fuse.scidfs options=(ro,nosuid,nodev) -> \"/data/my mnt/\", "),
            HasSubstr("/etc/apparmor.d/local/fusermount3")));
}

}  // namespace
}  // namespace scidfs::fs
