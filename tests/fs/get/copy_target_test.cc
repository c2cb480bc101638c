// Files of a copy.
#include "fs/get/copy_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <string>

#include "fs/file/small_files.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;

class CopyTargetTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(maker_.start_below(folder_.path()).ok()); }

  bool write(const std::string& name, FileTime time, std::string_view text, std::size_t times) {
    return target_.write(folder_ / name, time, [&](CopyTarget::File& file) {
      for (std::size_t i = 0; i < times; ++i) {
        if (absl::Status status = file.append(text); !status.ok()) return status;
      }
      return absl::OkStatus();
    });
  }

  static constexpr std::size_t kSmall = 9;
  static constexpr std::size_t kLarge = SmallFiles::kMost / 4;

  const tests::TemporaryFolder folder_;
  FileMaker maker_;
  const CopyOptions options_{};
  static void ignore(std::uint64_t /*done*/, std::uint64_t /*total*/) {}
  const Progress progress_ = ignore;
  CopyTarget target_{options_, maker_, progress_};
};

TEST_F(CopyTargetTest, SmallAndLargeFilesHaveTheirBytes) {
  constexpr std::string_view kText = "0123456";
  std::string expected;
  for (std::size_t times = 0; times <= kLarge; times = 2 * times + 1) {
    EXPECT_TRUE(write(std::to_string(times), {7, 8}, kText, times));
    EXPECT_EQ(target_.finish(), ExitCode::Good);
    expected.clear();
    for (std::size_t i = 0; i < times; ++i) expected += kText;
    EXPECT_EQ(tests::read_file(folder_ / std::to_string(times)), expected);
  }
}

TEST_F(CopyTargetTest, TellsWhichTimeCannotBeSet) {
  constexpr std::uint32_t kNoTime = 2'000'000'000;
  for (const std::size_t times : {kSmall, kLarge}) {
    testing::internal::CaptureStderr();
    EXPECT_TRUE(write("good", {1, 2}, "x", 1));
    const std::string name = std::to_string(times);  // the log repeats no error
    EXPECT_EQ(write(name, {1, kNoTime}, "0123456", times), times == kSmall);
    EXPECT_EQ(target_.finish(), ExitCode::Failed);
    EXPECT_THAT(
        testing::internal::GetCapturedStderr(),
        HasSubstr("Cannot set the time of " + (folder_ / name).native() + ": Invalid argument\n"));
    EXPECT_TRUE(std::filesystem::remove(folder_ / "good"));
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }
}

}  // namespace
}  // namespace scidfs::fs
