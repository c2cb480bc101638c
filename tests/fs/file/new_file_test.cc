#include "fs/file/new_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "codec/text.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::MatchesRegex;

using Existing = NewFile::Existing;

class NewFileTest : public testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : stdfs::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename());
    }
    return names;
  }
  absl::Status write(std::string_view text, Existing existing) const {
    const absl::StatusOr<std::unique_ptr<NewFile>> file = NewFile::create(path_);
    if (!file.ok()) return file.status();
    absl::Status status = (*file)->append(text);
    if (status.ok()) status = (*file)->sync();
    return status.ok() ? (*file)->put_in_place(existing) : status;
  }
  std::string text() const { return tests::read_file(path_); }

  const tests::TemporaryFolder folder_;
  const stdfs::path path_ = folder_ / "x";
};

TEST_F(NewFileTest, FileGetsItsNameWhenComplete) {
  tests::write_file(path_, "old");
  {
    const auto file = NewFile::create(path_);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE((*file)->append("new").ok());
    ASSERT_TRUE((*file)->append(std::string(3'000'000, 'x')).ok());
    ASSERT_TRUE((*file)->append("end").ok());
    ASSERT_TRUE((*file)->patch(1, "E").ok());
    EXPECT_EQ((*file)->size(), 3'000'006U);
    std::array<std::uint8_t, 4> front{};
    ASSERT_TRUE((*file)->read(0, front).ok());
    EXPECT_EQ(std::string(front.begin(), front.end()), "nEwx");
    ASSERT_TRUE((*file)->sync().ok());
    EXPECT_EQ(text(), "old");
    ASSERT_TRUE((*file)->put_in_place(Existing::Replace).ok());
  }
  EXPECT_EQ(text(), "nEw" + std::string(3'000'000, 'x') + "end");
  EXPECT_THAT(names(), ElementsAre("x"));
}

TEST_F(NewFileTest, FileMayHaveTheLongestName) {
  // The last one would be cut within a character.
  for (const std::string& name : {std::string(238, 'x'), std::string(255, 'x'),
                                  std::string(16, 'x') + "\u00FC" + std::string(237, 'x')}) {
    const auto file = NewFile::create(path_.parent_path() / name);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_TRUE(codec::is_utf8(tests::as_bytes(names().front()))) << names().front();
    ASSERT_TRUE((*file)->sync().ok());
    ASSERT_TRUE((*file)->put_in_place(Existing::Keep).ok());
    EXPECT_THAT(names(), ElementsAre(name));
    std::filesystem::remove(path_.parent_path() / name);
  }
}

TEST_F(NewFileTest, AbandonedFileIsRemoved) {
  {
    const auto file = NewFile::create(path_);
    ASSERT_TRUE(file.ok());
    EXPECT_THAT(names(), ElementsAre(MatchesRegex("\\.x\\.scidfs-[0-9a-f]{8}")));
  }
  EXPECT_THAT(names(), IsEmpty());
  EXPECT_TRUE(absl::IsNotFound(NewFile::create(folder_ / "none/x").status()));
}

TEST_F(NewFileTest, FileHasRequestedMode) {
  const mode_t mask = ::umask(027);
  const auto mode_with = [this](const NewAccess& access) {
    stdfs::remove(path_);
    const auto file = NewFile::create(path_, access);
    EXPECT_TRUE(file.ok() && (*file)->put_in_place(Existing::Replace).ok());
    struct stat attributes {};
    ::stat(path_.c_str(), &attributes);
    return attributes.st_mode & 0777;
  };
  EXPECT_EQ(mode_with({}), 0640U);
  EXPECT_EQ(mode_with(NewAccess::owner_only()), 0600U);
  ::umask(mask);
}

TEST_F(NewFileTest, ExistingFileIsKeptOnRequest) {
  EXPECT_TRUE(write("first", Existing::Keep).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(write("second", Existing::Keep)));
  EXPECT_EQ(text(), "first");
  EXPECT_THAT(names(), ElementsAre("x"));
  // A dangling link is an existing file too.
  stdfs::remove(path_);
  stdfs::create_symlink("nowhere", path_);
  EXPECT_TRUE(absl::IsAlreadyExists(write("second", Existing::Keep)));
  EXPECT_TRUE(stdfs::is_symlink(path_));
  EXPECT_THAT(names(), ElementsAre("x"));
}

TEST_F(NewFileTest, OnlyRegularFileIsReplaced) {
  tests::write_file(folder_ / "precious", "precious");
  const std::vector<std::pair<std::string, std::function<void()>>> kinds = {
      {"a folder", [this] { stdfs::create_directory(path_); }},
      {"a named pipe", [this] { ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0); }},
      {"a symbolic link", [this] { stdfs::create_symlink("precious", path_); }},
      {"a symbolic link", [this] { stdfs::create_symlink("/dev/null", path_); }},
      {"a symbolic link", [this] { stdfs::create_symlink("nowhere", path_); }}};
  for (const auto& [kind, put] : kinds) {
    SCOPED_TRACE(kind);
    const absl::Status expected =
        absl::AlreadyExistsError("Cannot write " + path_.native() + ": " + path_.native() + " is " +
                                 kind + ": not replaced");
    for (const Existing existing : {Existing::Replace, Existing::Keep}) {
      put();
      EXPECT_EQ(write("bytes", existing), expected);
      stdfs::remove(path_);
      // A file that appears during writing.
      const auto file = NewFile::create(path_);
      ASSERT_TRUE(file.ok() && (*file)->append("bytes").ok() && (*file)->sync().ok());
      put();
      EXPECT_EQ((*file)->put_in_place(existing), expected);
      EXPECT_FALSE(stdfs::is_regular_file(stdfs::symlink_status(path_)));
      stdfs::remove(path_);
    }
  }
  EXPECT_EQ(tests::read_file(folder_ / "precious"), "precious");
  EXPECT_EQ(NewFile::create("/dev/null").status().message(),
            "Cannot write /dev/null: /dev/null is a character device: not replaced");
}

TEST_F(NewFileTest, OnlyOneOfManyFilesGetsTheName) {
  std::vector<std::unique_ptr<NewFile>> files;
  for (int i = 0; i < 20; ++i) {
    files.push_back(*NewFile::create(path_));
    ASSERT_TRUE(files.back()->append(std::to_string(i)).ok() && files.back()->sync().ok());
  }
  EXPECT_EQ(names().size(), 20U);
  for (int i = 0; i < 20; ++i) {
    const absl::Status status = files[static_cast<std::size_t>(i)]->put_in_place(Existing::Keep);
    EXPECT_EQ(status.code(), i == 0 ? absl::StatusCode::kOk : absl::StatusCode::kAlreadyExists);
  }
  EXPECT_EQ(text(), "0");
}

// From here on, these system calls fail in this process as they do on some file systems.
void fail_calls(std::vector<std::pair<long, int>> calls) {
  std::vector<sock_filter> program = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const auto& [call, error] : calls) {
    program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
    program.push_back(
        BPF_STMT(BPF_RET | BPF_K,
                 SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(error) & SECCOMP_RET_DATA)));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog filter{.len = static_cast<unsigned short>(program.size()), .filter = program.data()};
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
    ::_exit(99);
  }
}

using NewFileDeathTest = NewFileTest;

// FAT has no links, and servers often have no rename without replacing.
TEST_F(NewFileDeathTest, ExistingFileIsKeptWithoutRenameatAndLinks) {
  const std::vector<std::vector<std::pair<long, int>>> kinds = {
      {{SYS_renameat2, EINVAL}},
      {{SYS_renameat2, ENOSYS}},
      {{SYS_renameat2, EINVAL}, {SYS_linkat, EPERM}},
      {{SYS_renameat2, EINVAL}, {SYS_linkat, EOPNOTSUPP}}};
  for (const auto& calls : kinds) {
    stdfs::remove(path_);
    EXPECT_EXIT(
        {
          fail_calls(calls);
          const bool first = write("first", Existing::Keep).ok();
          const bool second = absl::IsAlreadyExists(write("second", Existing::Keep));
          ::_exit(first && second && text() == "first" ? 0 : 1);
        },
        testing::ExitedWithCode(0), "");
    EXPECT_THAT(names(), ElementsAre("x"));
  }
}

}  // namespace
}  // namespace scidfs::fs
