// Files of the source never use the last descriptors.
#include "fs/file/descriptors.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <vector>

#include "fs/file/private_file.h"
#include "fs/file/source_file.h"
#include "tests/support/descriptor_limit.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;

class DescriptorsTest : public testing::Test {
 protected:
  DescriptorsTest() { std::ofstream(path_) << "text"; }

  // Opens a file until it is refused. Returns the last status.
  absl::Status open_until_refused() {
    while (true) {
      absl::StatusOr<SourceFile> file = SourceFile::open(path_);
      if (!file.ok()) return file.status();
      files_.push_back(*std::move(file));
    }
  }

  const tests::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "file";
  std::vector<SourceFile> files_;
};

TEST_F(DescriptorsTest, SourceFilesDoNotUseTheReserve) {
  constexpr std::size_t kMost = 400;
  const tests::DescriptorLimit limit(kMost);
  EXPECT_EQ(most_descriptors(), kMost);
  const std::size_t others = tests::open_descriptors();
  const absl::Status status = open_until_refused();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("file: Too many open files"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("(see ulimit -n)"));
  EXPECT_EQ(others + files_.size(), kMost - reserved_descriptors());
  EXPECT_TRUE(absl::IsResourceExhausted(PrivateFile::make({}).status()));

  std::vector<int> reserve;
  for (std::size_t i = 0; i < reserved_descriptors(); ++i) {
    reserve.push_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    EXPECT_GE(reserve.back(), 0);
  }
  EXPECT_TRUE(absl::IsResourceExhausted(SourceFile::open(path_).status()));
  for (const int file : reserve) ::close(file);
  // Each closed file makes room for another.
  files_.pop_back();
  EXPECT_TRUE(SourceFile::open(path_).ok());
}

TEST_F(DescriptorsTest, ReserveIsPartOfSmallLimitAndBoundedForLargeOne) {
  {
    const tests::DescriptorLimit few(64);
    EXPECT_EQ(reserved_descriptors(), 16U);
  }
  const tests::DescriptorLimit many(5000);
  EXPECT_EQ(reserved_descriptors(), 128U);
}

}  // namespace
}  // namespace scidfs::fs
