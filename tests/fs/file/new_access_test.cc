#include "fs/file/new_access.h"

#include <gmock/gmock.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fs/file/file_maker.h"
#include "fs/file/new_file.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kAcl = "system.posix_acl_access";
constexpr uid_t kUser = 54321;
constexpr gid_t kGroup = 54322;
constexpr gid_t kOtherGroup = 54323;

// An access control list: rw- for the owner and one user, --- for the group and all others.
std::string list_for(std::uint8_t user) {
  const auto entry = [](char tag, char rights, std::string_view id) {
    return std::string{tag, '\0', rights, '\0'} + std::string(id);
  };
  const std::string none(4, '\xFF');
  return std::string{2, 0, 0, 0} + entry(1, 6, none) +
         entry(2, 6, std::string{static_cast<char>(user), 0, 0, 0}) + entry(4, 0, none) +
         entry(16, 6, none) + entry(32, 0, none);
}

class NewAccessTest : public testing::Test {
 protected:
  NewAccessTest() : mask_(::umask(022)) { ::chmod(folder_.path().c_str(), 0777); }
  ~NewAccessTest() override { ::umask(mask_); }

  stdfs::path put(std::string_view name, mode_t mode, uid_t owner = ::geteuid(),
                  gid_t group = ::getegid()) const {
    stdfs::path path = folder_ / std::string(name);
    tests::write_file(path, "old");
    EXPECT_EQ(::chown(path.c_str(), owner, group), 0);
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }
  static std::string access_of(const stdfs::path& path) {
    struct stat attributes {};
    if (::stat(path.c_str(), &attributes) != 0) return "none";
    std::array<char, 1000> acl{};
    const ssize_t size = ::getxattr(path.c_str(), kAcl, acl.data(), acl.size());
    return std::to_string(attributes.st_uid) + ":" + std::to_string(attributes.st_gid) + " " +
           std::to_string(attributes.st_mode >> 6U & 7U) +
           std::to_string(attributes.st_mode >> 3U & 7U) + std::to_string(attributes.st_mode & 7U) +
           std::string(acl.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  }
  static absl::Status replace(const stdfs::path& path, const FileMaker& maker) {
    const auto file = NewFile::create(path, maker);
    if (!file.ok()) return file.status();
    absl::Status status = (*file)->append("new");
    if (status.ok()) status = (*file)->sync();
    return status.ok() ? (*file)->put_in_place(NewFile::Existing::Replace) : status;
  }
  // Does the same as another user, and returns the message of the error.
  std::string replace_as_user(const stdfs::path& path, const std::vector<gid_t>& groups) const {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) return "pipe";
    const pid_t child = ::fork();
    if (child == 0) {
      const bool good = ::setgroups(groups.size(), groups.data()) == 0 &&
                        ::setresgid(kOtherGroup, kOtherGroup, kOtherGroup) == 0 &&
                        ::setresuid(kUser, kUser, kUser) == 0;
      const absl::Status status = good ? replace(path, FileMaker()) : absl::UnknownError("user");
      const std::string message(status.message());
      ::_exit(::write(ends[1], message.data(), message.size()) < 0 ? 1 : 0);
    }
    if (child < 0) return "fork";
    ::close(ends[1]);
    std::string message(10000, '\0');
    const ssize_t size = ::read(ends[0], message.data(), message.size());
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return message.substr(0, size > 0 ? static_cast<std::size_t>(size) : 0);
  }
  std::size_t names() const {
    return static_cast<std::size_t>(
        std::distance(stdfs::directory_iterator(folder_.path()), stdfs::directory_iterator()));
  }

  const mode_t mask_;
  const tests::TemporaryFolder folder_;
};

// In this process and in one of the maker's own.
TEST_F(NewAccessTest, FileThatReplacesOneHasItsOwnerGroupModeAndList) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  FileMaker process;
  ASSERT_TRUE(process.start(folder_.path(), [](std::string_view) { return true; }).ok());
  for (const FileMaker* const maker : {&FileMaker::usual(), &std::as_const(process)}) {
    for (const mode_t mode : {0600, 0640, 0444, 0666, 0604, 0755}) {
      const stdfs::path path = put("x", mode, kUser, kGroup);
      for (const bool has_list : {false, true}) {
        const std::string list = list_for(9);
        if (has_list && ::setxattr(path.c_str(), kAcl, list.data(), list.size(), 0) != 0) continue;
        const std::string before = access_of(path);
        const absl::Status status = replace(path, *maker);
        EXPECT_TRUE(status.ok()) << status;
        EXPECT_EQ(access_of(path), before);
        EXPECT_EQ(tests::read_file(path), "new");
      }
    }
  }
  EXPECT_EQ(names(), 1u);
}

TEST_F(NewAccessTest, ListOfTheFolderIsNotInherited) {
  const std::string list = list_for(9);
  if (::setxattr(folder_.path().c_str(), "system.posix_acl_default", list.data(), list.size(), 0)) {
    GTEST_SKIP() << "no access control lists";
  }
  const stdfs::path path = put("x", 0640);
  ::removexattr(path.c_str(), kAcl);
  ::chmod(path.c_str(), 0640);
  const std::string before = access_of(path);
  EXPECT_TRUE(replace(path, FileMaker()).ok());
  EXPECT_EQ(access_of(path), before);
  // Of a file whose source only its group may read, the list would open more.
  const FileMaker maker(NewAccess::of_result(std::vector{path}));
  EXPECT_TRUE(replace(folder_ / "y", maker).ok());
  EXPECT_THAT(access_of(folder_ / "y"), HasSubstr(" 600"));
}

TEST_F(NewAccessTest, FileIsRefusedIfItsGroupCannotBeKeptAndOthersCouldReadIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root becomes another user";
  struct Case {
    mode_t mode;
    bool is_member;
    bool is_refused;
  };
  const std::string kept = std::to_string(kUser) + ":" + std::to_string(kGroup);
  const std::string own = std::to_string(kUser) + ":" + std::to_string(kOtherGroup);
  for (const Case& one :
       {Case{0640, false, true}, Case{0604, false, true}, Case{0644, false, false},
        Case{0600, false, false}, Case{0640, true, false}, Case{0660, true, false}}) {
    SCOPED_TRACE(testing::Message() << std::oct << one.mode << " " << one.is_member);
    const stdfs::path path = put("x", one.mode, 0, kGroup);
    const std::string before = access_of(path);
    const std::string message =
        replace_as_user(path, one.is_member ? std::vector{kGroup} : std::vector<gid_t>{});
    if (one.is_refused) {
      EXPECT_EQ(message, "Cannot write " + path.native() +
                             ": its group cannot be kept, and others could read it then");
      EXPECT_EQ(access_of(path), before);
    } else {
      EXPECT_EQ(message, "");
      EXPECT_EQ(access_of(path), (one.is_member ? kept : own) + before.substr(before.find(' ')));
    }
    EXPECT_EQ(tests::read_file(path), one.is_refused ? "old" : "new");
    EXPECT_EQ(names(), 1u);
  }
}

TEST_F(NewAccessTest, NewFileIsNotMoreOpenThanItsSources) {
  const gid_t own = ::getegid();
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files to other groups";
  struct Case {
    std::vector<stdfs::path> sources;
    std::string expected;
  };
  const stdfs::path open = put("open", 0644);
  const stdfs::path secret = put("secret", 0600, kUser, kGroup);
  const stdfs::path ours = put("ours", 0640, kUser, own);
  const stdfs::path theirs = put("theirs", 0640, kUser, kGroup);
  const stdfs::path listed = put("listed", 0640, kUser, own);
  const std::string list = list_for(9);
  const bool has_lists = ::setxattr(listed.c_str(), kAcl, list.data(), list.size(), 0) == 0;
  const stdfs::path base = put("base.si5", 0644);
  put("base.sg5", 0600);
  put("base.sn5", 0644);
  stdfs::create_symlink("secret", folder_ / "link");
  for (const Case& one :
       {Case{{open}, "644"}, Case{{open, secret}, "600"}, Case{{ours}, "640"},
        Case{{ours, open}, "640"}, Case{{theirs}, "600"}, Case{{ours, theirs}, "600"},
        Case{{theirs, ours}, "600"}, Case{{listed}, has_lists ? "600" : "640"}, Case{{base}, "600"},
        Case{{folder_ / "link"}, "600"}, Case{{folder_ / "none"}, "644"}}) {
    const stdfs::path path = folder_ / "new";
    stdfs::remove(path);
    EXPECT_TRUE(replace(path, FileMaker(NewAccess::of_result(one.sources))).ok());
    EXPECT_THAT(access_of(path), testing::EndsWith(" " + one.expected))
        << testing::PrintToString(one.sources);
  }
}

TEST_F(NewAccessTest, FurtherPartIsLikeTheFirst) {
  const stdfs::path first = put("book_0.kob", 0600);
  EXPECT_TRUE(replace(folder_ / "book_1.kob", FileMaker(NewAccess::of_result({}, first))).ok());
  EXPECT_EQ(access_of(folder_ / "book_1.kob"), access_of(first));
}

TEST_F(NewAccessTest, FileThatBecamePrivateMeanwhileIsNotReplaced) {
  const stdfs::path path = put("x", 0644);
  const auto file = NewFile::create(path);
  ASSERT_TRUE(file.ok() && (*file)->sync().ok());
  ::chmod(path.c_str(), 0600);
  EXPECT_TRUE(absl::IsUnavailable((*file)->put_in_place(NewFile::Existing::Replace)));
  EXPECT_EQ(tests::read_file(path), "old");
}

TEST_F(NewAccessTest, AttributeIsSetThoughTheModeDeniesWriting) {
  const stdfs::path path = put("x", 0444);
  const auto file = NewFile::create(path);
  ASSERT_TRUE(file.ok());
  EXPECT_TRUE((*file)->set_attribute("user.scidfs.import", "1"));
  ASSERT_TRUE((*file)->put_in_place(NewFile::Existing::Replace).ok());
  EXPECT_THAT(access_of(path), HasSubstr(" 444"));
}

// The program that asks may have been taken over.
TEST_F(NewAccessTest, ProcessMakesOnlyFilesOfTheResult) {
  FileMaker maker;
  const stdfs::path place = folder_ / "place";
  stdfs::create_directory(place);
  ASSERT_TRUE(maker.start(place, [](std::string_view name) { return name == "x"; }).ok());
  EXPECT_TRUE(absl::IsPermissionDenied(maker.make(place / "y").status()));
  // Not where the path leads now.
  stdfs::rename(place, folder_ / "moved");
  stdfs::create_directory(place);
  const auto made = maker.make(place / "x");
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(stdfs::is_empty(place));
  const stdfs::path aside = folder_ / "moved" / stdfs::path(made->aside).filename();
  EXPECT_TRUE(maker.set_attribute(*made, "user.scidfs.import", "1"));
  EXPECT_FALSE(maker.set_attribute(*made, "user.other", "1"));
  EXPECT_FALSE(maker.set_attribute(*made, kAcl, list_for(9)));
  // Another file under its name.
  tests::write_file(folder_ / "victim", "");
  stdfs::rename(folder_ / "victim", aside);
  EXPECT_FALSE(maker.set_attribute(*made, "user.scidfs.import", "1"));
  EXPECT_LT(::getxattr(aside.c_str(), "user.scidfs.import", nullptr, 0), 0);
}

}  // namespace
}  // namespace scidfs::fs
