#include "fs/file/source_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::HasSubstr;

class SourceFileTest : public testing::Test {
 protected:
  SourceFileTest() {
    source_ = folder_ / "source";
    stdfs::create_directories(source_ / "sub");
    std::ofstream(source_ / "sub/file") << "inside";
    std::ofstream(folder_ / "file") << "outside";
  }

  // The text of a file, opened below the source.
  std::string text_of(const stdfs::path& path) const {
    const absl::StatusOr<SourceFile> file = SourceFile::open(path, source_);
    if (!file.ok()) return std::string(file.status().message());
    const auto bytes = file->read_front(1000);
    return bytes.ok() ? std::string(bytes->begin(), bytes->end()) : "unreadable";
  }

  tests::TemporaryFolder folder_;
  stdfs::path source_;
};

TEST_F(SourceFileTest, ReadsOnlyRegularFiles) {
  EXPECT_EQ(text_of(source_ / "sub/file"), "inside");
  EXPECT_THAT(text_of(source_ / "sub"), HasSubstr("not a regular file"));
  EXPECT_THAT(text_of(source_ / "none"), HasSubstr("No such file"));
  ASSERT_EQ(::mkfifo((source_ / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(text_of(source_ / "pipe"), HasSubstr("not a regular file"));
}

TEST_F(SourceFileTest, RangeLostByChangeOfFileIsGone) {
  const stdfs::path path = source_ / "sub/file";
  const absl::StatusOr<SourceFile> file = SourceFile::open(path);
  ASSERT_TRUE(file.ok());
  std::array<std::uint8_t, 7> bytes{};
  EXPECT_TRUE(absl::IsDataLoss(file->read(0, bytes)));
  stdfs::resize_file(path, 3);
  EXPECT_FALSE(file->is_as_opened());
  EXPECT_EQ(file->read(0, bytes),
            absl::FailedPreconditionError(path.string() + " has changed since it was opened"));
  EXPECT_TRUE(file->read(0, std::span(bytes).first(3)).ok());
}

TEST_F(SourceFileTest, LinksStayBelowTheBoundary) {
  stdfs::create_symlink("sub/file", source_ / "relative");
  stdfs::create_symlink(source_ / "sub/file", source_ / "absolute");
  stdfs::create_symlink("absolute", source_ / "twice");
  for (const char* const name : {"relative", "absolute", "twice"}) {
    EXPECT_EQ(text_of(source_ / name), "inside") << name;
  }
  stdfs::create_symlink("../file", source_ / "out");
  stdfs::create_symlink("out", source_ / "out_by_two");
  stdfs::create_symlink("/proc/self/root" + (folder_ / "file").string(), source_ / "magic");
  // Its name has the name of the source as a prefix.
  stdfs::create_directory(folder_ / "source2");
  std::ofstream(folder_ / "source2/file") << "outside";
  stdfs::create_symlink("../source2/file", source_ / "similar");
  for (const char* const name : {"out", "out_by_two", "magic", "similar"}) {
    EXPECT_THAT(text_of(source_ / name), HasSubstr("a link out of the source")) << name;
    EXPECT_TRUE(SourceFile::open(source_ / name).ok()) << name;
  }
}

TEST_F(SourceFileTest, DanglingLinksAreErrors) {
  stdfs::create_symlink("none", source_ / "dangling");
  stdfs::create_symlink("loop", source_ / "loop");
  EXPECT_EQ(SourceFile::open(source_ / "dangling").status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(text_of(source_ / "loop"), HasSubstr("Too many levels"));
}

}  // namespace
}  // namespace scidfs::fs
