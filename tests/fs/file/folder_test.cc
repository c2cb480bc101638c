#include "fs/file/folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using std::chrono::milliseconds;

TEST(Folder, FolderOfFileIsItsParent) {
  EXPECT_EQ(folder_of("/a/b"), "/a");
  EXPECT_EQ(folder_of("a/b"), "a");
  EXPECT_EQ(folder_of("b"), ".");
}

TEST(Folder, KnowsWhatIsAtOrBelowIt) {
  EXPECT_TRUE(is_at_or_below("/dev", "/dev"));
  EXPECT_TRUE(is_at_or_below("/dev/x", "/dev"));
  EXPECT_TRUE(is_at_or_below("/dev", "/"));
  EXPECT_FALSE(is_at_or_below("/device", "/dev"));
  EXPECT_FALSE(is_at_or_below("/", "/dev"));
}

TEST(Folder, MissingFoldersAreMadeForOwnerOnly) {
  const tests::TemporaryFolder folder;
  ASSERT_TRUE(make_folders(folder / "a/b/c").ok());
  ASSERT_TRUE(make_folders(folder / "a/b/c").ok());
  for (const char* const made : {"a", "a/b", "a/b/c"}) {
    EXPECT_EQ(stdfs::status(folder / made).permissions(), stdfs::perms::owner_all) << made;
  }
  EXPECT_TRUE(sync_folder(folder / "a").ok());
  EXPECT_TRUE(absl::IsNotFound(sync_folder(folder / "b")));
  tests::write_file(folder / "file", "");
  EXPECT_EQ(make_folders(folder / "file/below").message(),
            "Cannot make " + (folder / "file/below").native() + ": Not a directory");
}

TEST(FolderLock, OnlyOneHolderAtATime) {
  const tests::TemporaryFolder folder;
  std::optional<absl::StatusOr<FolderLock>> first =
      FolderLock::take(folder.path(), milliseconds(0));
  ASSERT_TRUE(first->ok());
  EXPECT_TRUE(absl::IsUnavailable(FolderLock::take(folder.path(), milliseconds(20)).status()));
  std::atomic<bool> is_free = false;
  std::thread waiting([&] {
    EXPECT_TRUE(FolderLock::take(folder.path(), std::chrono::minutes(1)).ok());
    EXPECT_TRUE(is_free);
  });
  std::this_thread::sleep_for(milliseconds(30));
  is_free = true;
  first.reset();
  waiting.join();
  EXPECT_TRUE(absl::IsNotFound(FolderLock::take(folder / "none", milliseconds(0)).status()));
}

}  // namespace
}  // namespace scidfs::fs
