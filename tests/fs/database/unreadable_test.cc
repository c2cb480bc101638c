// Databases with files that the process may not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "fs/database/database.h"
#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using testing::HasSubstr;

// During its lifetime the process reads as an ordinary user.
class AsNobody {
 public:
  AsNobody() {
    constexpr uid_t kNobody = 65534;
    EXPECT_EQ(was_root_ ? ::seteuid(kNobody) : 0, 0);
  }
  ~AsNobody() { EXPECT_EQ(was_root_ ? ::seteuid(0) : 0, 0); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  const bool was_root_ = ::geteuid() == 0;
};

TEST(UnreadableFilesTest, DatabaseWithUnreadableFileIsRefused) {
  for (const char* const suffix : {".si4", ".sn4", ".sg4"}) {
    const tests::TemporaryFolder folder;
    stdfs::permissions(folder.path(), stdfs::perms(0755));
    for (const char* const each : {".si4", ".sn4", ".sg4"}) {
      const stdfs::path copy = folder / (std::string("sample") + each);
      stdfs::copy_file(tests::test_data(std::string("sample/sample") + each), copy);
      stdfs::permissions(
          copy, std::string_view(each) == suffix ? stdfs::perms::none : stdfs::perms(0644));
    }
    const AsNobody nobody;
    const auto database = Database::open(folder / "sample.si4", "sample.si4", {});
    EXPECT_TRUE(absl::IsPermissionDenied(database.status())) << suffix << database.status();
    EXPECT_THAT(std::string(database.status().message()),
                HasSubstr(std::string("sample") + suffix + ": Permission denied"));
  }
}

TEST(UnreadableFilesTest, MissingNameAndGameFilesAreProblems) {
  const tests::TemporaryFolder folder;
  stdfs::copy_file(tests::test_data("sample/sample.si4"), folder / "sample.si4");
  const auto database = Database::open(folder / "sample.si4", "sample.si4", {});
  ASSERT_TRUE(database.ok()) << database.status();
  EXPECT_EQ((*database)->files().problems().size(), 2U);
}

}  // namespace
}  // namespace scidfs::fs
