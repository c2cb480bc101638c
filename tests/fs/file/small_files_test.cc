// Files that another process writes, many for one message.
#include "fs/file/small_files.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

using Existing = NewFile::Existing;

class SmallFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    stdfs::create_directory(place_);
    ASSERT_TRUE(maker_.start_below(place_).ok());
  }
  void write(const std::string& name, std::string_view bytes, Existing existing = Existing::Keep,
             FileTime time = {1, 2}) {
    files_.write(place_.native() + '/' + name, time, existing, bytes);
  }
  // Waits for the files. Returns why some failed, without the folder.
  std::vector<std::string> failures() {
    files_.settle();
    for (std::string& text : failures_) {
      for (std::size_t at = 0; (at = text.find(place_.native() + '/')) != std::string::npos;) {
        text.erase(at, place_.native().size() + 1);
      }
    }
    return std::exchange(failures_, {});
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : stdfs::recursive_directory_iterator(place_)) {
      names.push_back(entry.path().lexically_relative(place_));
    }
    return names;
  }

  const tests::TemporaryFolder folder_;
  const stdfs::path place_ = folder_ / "place";
  FileMaker maker_;
  std::vector<std::string> failures_;
  SmallFiles files_{maker_, [this](const absl::Status& error) {
                      failures_.push_back(std::string(error.message()));
                    }};
};

TEST_F(SmallFilesTest, FilesAreThereWithTheirTimes) {
  constexpr std::size_t kFiles = 3000;
  for (const char* const name : {"a", "b"}) ASSERT_TRUE(maker_.make_folder(place_ / name).ok());
  const auto name = [](std::size_t i) {
    return fmt::format("{}/{}", i / 10 % 2 == 0 ? 'a' : 'b', i);
  };
  const auto text = [](std::size_t i) {
    return std::string(i * 7 % 2000, static_cast<char>('a' + i % 26));
  };
  for (std::size_t i = 0; i < kFiles; ++i) {
    write(name(i), text(i), Existing::Keep, {static_cast<std::int64_t>(i), 5});
  }
  EXPECT_THAT(failures(), IsEmpty());
  EXPECT_THAT(names(), SizeIs(kFiles + 2));
  for (std::size_t i = 0; i < kFiles; ++i) {
    struct stat attributes {};
    ASSERT_EQ(::stat((place_ / name(i)).c_str(), &attributes), 0);
    EXPECT_EQ(attributes.st_mtim.tv_sec, static_cast<time_t>(i));
    EXPECT_EQ(attributes.st_mtim.tv_nsec, 5);
    ASSERT_EQ(tests::read_file(place_ / name(i)), text(i));
  }
}

TEST_F(SmallFilesTest, FailuresNameTheirFilesAndLeaveNothing) {
  stdfs::create_directory(folder_ / "elsewhere");
  tests::write_file(folder_ / "elsewhere/other", "other");
  stdfs::create_directory_symlink("../elsewhere", place_ / "linked");
  stdfs::create_symlink("../elsewhere/other", place_ / "link");
  tests::write_file(place_ / "mine", "mine");
  tests::write_file(place_ / "old", "old");
  const std::string longest(SmallFiles::kMost - place_.native().size() - 8, 'x');
  constexpr std::uint32_t kNoTime = 2'000'000'000;
  write("mine", "other");
  write("old", "new", Existing::Replace);
  write("linked/x", "x");
  write("link", "x", Existing::Replace);
  write("none/x", "x");
  write("x/../../elsewhere/x", "x");
  write("bad time", "x", Existing::Keep, {1, kNoTime});
  write("bad old", "x", Existing::Replace, {1, kNoTime});
  write("longest", longest);
  write("last", "");
  EXPECT_THAT(failures(), ElementsAre("Cannot write mine: File exists",
                                      "Cannot write linked/x: Not a directory",
                                      "Cannot write link: link is a symbolic link: not replaced",
                                      "Cannot write none/x: No such file or directory",
                                      "Cannot write x/../../elsewhere/x: No such file or directory",
                                      "Cannot set the time of bad time: Invalid argument",
                                      "Cannot set the time of bad old: Invalid argument"));
  EXPECT_THAT(names(),
              testing::UnorderedElementsAre("linked", "link", "mine", "old", "longest", "last"));
  EXPECT_EQ(tests::read_file(place_ / "mine"), "mine");
  EXPECT_EQ(tests::read_file(place_ / "old"), "new");
  EXPECT_EQ(tests::read_file(place_ / "longest"), longest);
  EXPECT_EQ(tests::read_file(folder_ / "elsewhere/other"), "other");
  EXPECT_FALSE(stdfs::exists(folder_ / "elsewhere/x"));
}

TEST_F(SmallFilesTest, EachOfManyFailuresIsTold) {
  const std::string folder(200, 'n');
  std::vector<std::string> expected;
  for (int i = 0; i < 2000; ++i) {
    const std::string name = fmt::format("{}/{}", folder, i);
    write(name, "x");
    expected.push_back("Cannot write " + name + ": No such file or directory");
  }
  EXPECT_EQ(failures(), expected);
  EXPECT_THAT(names(), IsEmpty());
}

// System calls end a path at a zero byte.
TEST_F(SmallFilesTest, NoNameLeadsTheProcessOutOfTheFolder) {
  using namespace std::string_literals;
  for (const std::string& name : {"../x"s, "..\0/x"s, "./../x"s, "..\0y"s, "/x"s, ""s, ".."s}) {
    write(name, "x", Existing::Replace);
    EXPECT_THAT(failures(), Not(IsEmpty())) << name;
  }
  EXPECT_FALSE(stdfs::exists(folder_ / "x"));
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(SmallFilesTest, NoFileIsTakenFromAPartOfAMessage) {
  for (const char byte : {'\x01', '\xFF'}) {
    for (std::size_t size = 0; size < 100; ++size) {
      const std::string bytes(size, byte);
      std::string_view message = bytes;
      EXPECT_FALSE(take_small_file(message).has_value()) << size;
    }
  }
}

}  // namespace
}  // namespace scidfs::fs
