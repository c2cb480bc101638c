// What a mount shows of a source that is being written, and how folders are named.
#include <gmock/gmock.h>

#include <chrono>
#include <thread>

#include "tests/fs/library_fixture.h"

namespace scidfs::fs {
namespace {

namespace stdfs = std::filesystem;
using std::chrono::milliseconds;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Clock = std::chrono::steady_clock;

class FirstScanTest : public LibraryTest {
 protected:
  // Mixed files of two databases do not fit together, like a partial copy.
  void put_partial_copy(std::string_view name) {
    tests::ScidFiles files = example_database(20, 1).files();
    files.games = example_database(30, 2).files().games;
    put(name, files);
  }
  milliseconds open_and_measure() {
    const Clock::time_point start = Clock::now();
    open(source_);
    return std::chrono::duration_cast<milliseconds>(Clock::now() - start);
  }
};

TEST_F(FirstScanTest, WaitsForPartialCopyUntilItIsComplete) {
  options_.first_patience = std::chrono::seconds(5);
  put("whole", example_database(5, 3).files());
  put_partial_copy("a");
  // Elsewhere, since put() sets the time of a file after its bytes: a library that opens the file
  // between the two rightly says later that it has changed.
  put("../a", example_database(20, 1).files());
  std::thread writer([this] {
    std::this_thread::sleep_for(milliseconds(400));
    for (const char* const suffix : {".si4", ".sn4", ".sg4"}) {
      stdfs::rename(folder_ / ("a" + std::string(suffix)), source_ / ("a" + std::string(suffix)));
    }
  });
  const milliseconds time = open_and_measure();
  writer.join();
  EXPECT_GE(time, milliseconds(300));
  EXPECT_LT(time, milliseconds(4000));
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
  EXPECT_EQ(text("whole.si4/all.pgn"), decoded("whole"));
}

TEST_F(FirstScanTest, PartialCopyIsShownIfUnchangedForLong) {
  options_.first_patience = milliseconds(300);
  put_partial_copy("a");
  EXPECT_LT(open_and_measure(), milliseconds(3000));
  EXPECT_TRUE(exists("a.si4"));
  // The time has passed: the library does not wait.
  std::this_thread::sleep_for(milliseconds(300));
  EXPECT_LT(open_and_measure(), milliseconds(200));
  EXPECT_TRUE(exists("a.si4"));
}

TEST_F(FirstScanTest, WaitIsBoundedAndTheRestIsShownLater) {
  options_.first_patience = std::chrono::hours(1);
  options_.longest_wait = milliseconds(300);
  put("whole", example_database(5, 3).files());
  put_partial_copy("a");
  EXPECT_LT(open_and_measure(), milliseconds(2000));
  EXPECT_FALSE(exists("a.si4"));
  EXPECT_THAT(text("info.txt"), HasSubstr("refused: a.si4: its files are still being written\n"));
  EXPECT_EQ(text("whole.si4/all.pgn"), decoded("whole"));
  put("a", example_database(20, 1).files());
  EXPECT_TRUE(library_->rescan().changed);
  EXPECT_EQ(text("a.si4/all.pgn"), decoded("a"));
  EXPECT_THAT(text("info.txt"), Not(HasSubstr("refused")));
}

TEST_F(FirstScanTest, DatabaseBeingWrittenIsErrorIfItIsTheSource) {
  options_.first_patience = std::chrono::hours(1);
  options_.longest_wait = milliseconds(200);
  put_partial_copy("a");
  const auto library = Library::open(source_ / "a.si4", options_);
  EXPECT_THAT(std::string(library.status().message()), HasSubstr("still being written"));
}

using FolderNamesTest = LibraryTest;

TEST_F(FolderNamesTest, FoldersNamedLikeFilesOfScidfsAreRenamed) {
  for (const char* const name :
       {"README.txt", "info.txt", "index.html", "status.txt", "sub/README.txt", "sub/status.txt"}) {
    stdfs::create_directories(source_ / name);
    put(std::string(name) + "/base", example_database(3, 1).files());
  }
  open(source_);
  EXPECT_THAT(names(""), ElementsAre("README.txt~1", "index.html~1", "info.txt~1", "status.txt~1",
                                     "sub", "info.txt", "index.html", "status.txt", "README.txt"));
  EXPECT_THAT(text("info.txt"), StartsWith("folder: .\n"));
  EXPECT_THAT(text("status.txt"), StartsWith("scidfs: "));
  EXPECT_EQ(text("info.txt~1/base.si4/all.pgn"), decoded("info.txt/base"));
  // Only the mount point has a README.txt and a status.txt of scidfs.
  EXPECT_EQ(text("sub/README.txt/base.si4/all.pgn"), decoded("sub/README.txt/base"));
  EXPECT_EQ(text("sub/status.txt/base.si4/all.pgn"), decoded("sub/status.txt/base"));
}

TEST_F(FolderNamesTest, HiddenFoldersAndFilesAreNotShown) {
  put("base", example_database(3, 1).files());
  put(".base", example_database(3, 2).files());
  stdfs::create_directories(source_ / ".git/deep");
  put(".git/deep/base", example_database(3, 3).files());
  open(source_);
  EXPECT_THAT(names(""),
              ElementsAre("base.si4", "info.txt", "index.html", "status.txt", "README.txt"));
  EXPECT_THAT(text("info.txt"), Not(HasSubstr("git")));
  EXPECT_THAT(library_->watched_folders(), ElementsAre(source_));
}

TEST_F(FolderNamesTest, TooDeepFoldersAreReported) {
  std::string path;
  for (unsigned depth = 0; depth < kMaxDepth; ++depth) path += "d/";
  stdfs::create_directories(source_ / path / "deeper");
  put(path + "base", example_database(3, 1).files());
  put(path + "deeper/base", example_database(3, 2).files());
  open(source_);
  EXPECT_EQ(text(path + "base.si4/all.pgn"), decoded(path + "base"));
  EXPECT_FALSE(exists(path + "deeper"));
  EXPECT_THAT(text(path + "info.txt"), HasSubstr("refused: Cannot look into "));
}

TEST_F(FolderNamesTest, InfoHasTimeOfNewestDatabase) {
  tests::ScidWriter writer = example_database(5, 1);
  stdfs::create_directories(source_ / "sub");
  put("sub/base", writer.files());
  set_time(source_ / "sub", 0);  // the folder itself does not change
  open(source_);
  const Inode before = inode("sub/info.txt");
  const auto time = mtime("sub/info.txt");
  writer.add(record("e4 e5"), "White 1", "Black 1");
  put("sub/base", writer.files(), tests::patch);
  EXPECT_TRUE(library_->rescan().changed);
  // "5 games" and "6 games" have the same length: only the time differs.
  EXPECT_THAT(text("sub/info.txt"), HasSubstr("base.si4: 6 games"));
  EXPECT_NE(inode("sub/info.txt"), before);
  EXPECT_GT(mtime("sub/info.txt"), time);
  EXPECT_THAT(*read(before), HasSubstr("base.si4: 5 games"));
  // Also for a program that looks after the next mount.
  const auto later = mtime("sub/info.txt");
  open(source_);
  EXPECT_GT(mtime("sub/info.txt"), time);
  EXPECT_LE(mtime("sub/info.txt"), later);
}

}  // namespace
}  // namespace scidfs::fs
