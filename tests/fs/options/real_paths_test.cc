#include "fs/options/real_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

// one/two/three, and a link "near" to one/two.
class RealPathsTest : public testing::Test {
 protected:
  RealPathsTest() {
    stdfs::create_directories(folder_ / "one/two/three");
    stdfs::create_directory_symlink(folder_ / "one/two", folder_ / "near");
    root_ = stdfs::canonical(folder_.path());
  }

  tests::TemporaryFolder folder_;
  stdfs::path root_;
};

TEST_F(RealPathsTest, DotsAreResolvedThroughLinks) {
  // As text, it would be the folder itself.
  EXPECT_EQ(*locate(root_ / "near/.."), root_ / "one");
  EXPECT_EQ(*locate(root_ / "near/../two"), root_ / "one/two");
  EXPECT_EQ(*locate(root_ / "near/three"), root_ / "one/two/three");
  EXPECT_EQ(*locate(root_ / "one/./two/."), root_ / "one/two");
  EXPECT_EQ(*locate("/"), "/");
  EXPECT_EQ(*locate("/.."), "/");
}

TEST_F(RealPathsTest, LastPartIsNotResolved) {
  EXPECT_EQ(*locate(root_ / "near"), root_ / "near");
  EXPECT_EQ(*locate(root_ / "missing"), root_ / "missing");
}

TEST_F(RealPathsTest, MissingPartsAreErrors) {
  for (const char* const path : {"missing/..", "missing/../one", "one/missing/two"}) {
    EXPECT_THAT(std::string(locate(root_ / path).status().message()),
                HasSubstr("No such file or directory"))
        << path;
  }
}

TEST_F(RealPathsTest, SourceIsResolvedAndNamesTheMount) {
  MountOptions options;
  options.source = root_ / "near/../../near";
  EXPECT_EQ(*resolve_source(options), root_ / "one/two");
  EXPECT_EQ(options.source, root_ / "near");
  EXPECT_THAT(options.fuse_options, Contains("fsname=" + (root_ / "near").string()));
  options.source = root_ / "missing/../one";
  EXPECT_THAT(std::string(resolve_source(options).status().message()), HasSubstr("Cannot open "));
}

}  // namespace
}  // namespace scidfs::fs
