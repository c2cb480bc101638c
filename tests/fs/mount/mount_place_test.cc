#include "fs/mount/mount_place.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

// one/two/three, and a link "near" to one/two.
class MountPlaceTest : public testing::Test {
 protected:
  MountPlaceTest() {
    stdfs::create_directories(root_ / "one/two/three");
    stdfs::create_directory_symlink(root_ / "one/two", root_ / "near");
  }
  static std::string found(const stdfs::path& path) {
    const absl::StatusOr<MountPlace> place = MountPlace::find(path);
    return place.ok() ? place->path().string() : std::string(place.status().message());
  }

  tests::TemporaryFolder folder_;
  const stdfs::path root_ = folder_.path();
};

TEST_F(MountPlaceTest, LinksAndDotsAreResolved) {
  stdfs::create_symlink("../near/three", root_ / "one/far");
  stdfs::create_symlink("missing", root_ / "leads nowhere");
  const std::array<std::array<const char*, 2>, 8> cases = {{{"one/two", "one/two"},
                                                            {"./one//two/.", "one/two"},
                                                            {"near", "one/two"},
                                                            {"near/../../near/", "one/two"},
                                                            {"one/far", "one/two/three"},
                                                            {"one/far/..", "one/two"},
                                                            {"one/new", "one/new"},
                                                            {"leads nowhere", "missing"}}};
  for (const auto& [path, real] : cases) EXPECT_EQ(found(root_ / path), root_ / real) << path;
}

TEST_F(MountPlaceTest, ErrorsNameThePath) {
  stdfs::create_symlink("circle", root_ / "circle");
  tests::write_file(root_ / "file", "x");
  const std::array<std::array<const char*, 2>, 5> cases = {
      {{"missing/..", "No such file or directory"},
       {"one/missing/two", "No such file or directory"},
       {"file/one", "Not a directory"},
       {"circle", "Too many levels of symbolic links"},
       {"~/mnt/..", "type: \"$HOME/mnt/..\""}}};
  for (const auto& [path, why] : cases) {
    EXPECT_THAT(found(root_ / path),
                AllOf(HasSubstr("Cannot mount on " + (root_ / path).string()), HasSubstr(why)));
  }
  EXPECT_THAT(found("/"), HasSubstr("it would hide all files"));
}

TEST_F(MountPlaceTest, FolderIsThereUntilItsNameMeansAnother) {
  absl::StatusOr<MountPlace> place = MountPlace::find(root_ / "one/two");
  ASSERT_TRUE(place.ok());
  ASSERT_TRUE(place->take_folder());
  EXPECT_TRUE(place->has_folder());
  // The folders above may get other names.
  stdfs::rename(root_ / "one", root_ / "moved");
  EXPECT_TRUE(place->has_folder());
  stdfs::rename(root_ / "moved/two", root_ / "elsewhere");
  EXPECT_FALSE(place->has_folder());
  stdfs::create_directory_symlink(root_ / "elsewhere", root_ / "moved/two");
  EXPECT_FALSE(place->has_folder()) << "a link to the same folder";
  EXPECT_FALSE(place->open().ok());
  stdfs::remove(root_ / "moved/two");
  stdfs::create_directory(root_ / "moved/two");
  EXPECT_FALSE(place->has_folder()) << "another folder";
}

TEST_F(MountPlaceTest, RootFollowsNoLinkThatAnotherUserMayChange) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root follows not every link";
  constexpr uid_t kNobody = 65534;
  struct Case {
    const char* what;
    mode_t mode;  // of the folder above the folder with the link
    uid_t owner;  // of that folder
    uid_t below;  // the owner of the folder with the link
    bool is_followed;
  };
  constexpr std::array<Case, 7> kCases = {{
      {"folders of root's", 0755, 0, 0, true},
      {"a folder of the user's", 0755, 0, kNobody, false},
      {"a folder of root's in one of the user's", 0755, kNobody, 0, false},
      {"one that all may write", 0777, 0, 0, false},
      {"one that a group may write", 0775, 0, 0, false},
      {"root's folder in one where all keep their own files", 01777, 0, 0, true},
      {"the user's folder there", 01777, 0, kNobody, false},
  }};
  stdfs::create_directories(root_ / "above/below");
  stdfs::create_symlink("../../one/two", root_ / "above/below/relative");
  stdfs::create_symlink(root_ / "one/two", root_ / "above/below/absolute");
  for (const Case& given : kCases) {
    ASSERT_EQ(::chown((root_ / "above").c_str(), given.owner, 0), 0);
    ASSERT_EQ(::chmod((root_ / "above").c_str(), given.mode), 0);
    ASSERT_EQ(::chown((root_ / "above/below").c_str(), given.below, 0), 0);
    for (const char* const link : {"relative", "absolute"}) {
      const stdfs::path path = root_ / "above/below" / link;
      if (given.is_followed) {
        EXPECT_EQ(found(path), root_ / "one/two") << given.what;
      } else {
        EXPECT_THAT(found(path),
                    HasSubstr(path.string() + " is a link, and a user other than root"))
            << given.what;
      }
      EXPECT_EQ(found(path / "three").find("is a link") == std::string::npos, given.is_followed);
    }
    EXPECT_EQ(found(root_ / "above/below/new"), root_ / "above/below/new") << given.what;
  }
}

}  // namespace
}  // namespace scidfs::fs
