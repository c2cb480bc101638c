#include "fs/mount/directory_prefetch.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace scidfs::fs {
namespace {

constexpr std::size_t kFiles = 1000;
constexpr std::size_t kReply = 200;  // files in a reply to a listing

// The kernel, which requests files that it does not have, and a prefetcher that provides a few
// files for each read.
class DirectoryPrefetchTest : public testing::Test {
 protected:
  static Inode number(Inode directory, std::size_t file) { return directory * 10'000 + file; }

  void list(Inode directory, std::size_t count = kFiles, std::uint64_t size = 700) {
    std::vector<ListedFile> files;
    for (std::size_t first = 0; first < count; first += kReply) {
      files.clear();
      for (std::size_t i = first; i < std::min(count, first + kReply); ++i) {
        files.push_back({.inode = number(directory, i), .size = size});
      }
      files_.listed(directory, first == 0, files);
      prefetch();
    }
    files_.ended(directory);
  }
  void read(Inode directory, std::size_t file) {
    const Inode inode = number(directory, file);
    if (!has_.contains(inode)) {
      ++requested_;
      const DirectoryPrefetch::Heard heard = files_.read(inode);
      EXPECT_FALSE(heard.was_foretold);
      whole_ += heard.read_whole;
      has_.insert(inode);
    }
    prefetch();
  }
  void prefetch() {
    for (std::size_t i = 0; i < pace_; ++i) {
      const std::optional<ListedFile> file = files_.next();
      if (!file) return;
      ++prefetched_;
      EXPECT_TRUE(announced_.insert(file->inode).second) << file->inode;
      has_.insert(file->inode);
    }
  }

  DirectoryPrefetch files_;
  std::set<Inode> has_;        // files that the kernel has
  std::set<Inode> announced_;  // files that the prefetch announced
  std::size_t pace_ = 3;
  std::size_t requested_ = 0, prefetched_ = 0, whole_ = 0;
};

TEST_F(DirectoryPrefetchTest, ReaderOfAllFilesCausesFewRequests) {
  for (Inode directory = 1; directory <= 20; ++directory) {
    list(directory);
    for (std::size_t file = 0; file < kFiles; ++file) read(directory, file);
  }
  EXPECT_LE(requested_ * 100, 20 * kFiles * 1);  // one in a hundred
  EXPECT_EQ(requested_ + prefetched_, 20 * kFiles);
  EXPECT_EQ(whole_, 20 * kFiles);
}

// A reader as fast as the prefetch gets no file that it has already requested.
TEST_F(DirectoryPrefetchTest, FilesAlreadyReadAreNotPrefetched) {
  pace_ = 1;
  list(1);
  for (std::size_t file = 0; file < kFiles; file += 2) {
    files_.read(number(1, file));
    files_.read(number(1, file + 1));
    if (const auto announced = files_.next()) {
      EXPECT_GT(announced->inode, number(1, file + 1));
    }
  }
}

TEST_F(DirectoryPrefetchTest, BackwardReaderCausesFewRequests) {
  list(1);
  for (std::size_t file = kFiles; file-- > 0;) read(1, file);
  EXPECT_LE(requested_ * 100, kFiles * 2);
  EXPECT_EQ(requested_ + prefetched_, kFiles);
}

// Two threads push listed directories on a stack, and both read the last one.
TEST_F(DirectoryPrefetchTest, TwoBackwardReadersCauseFewRequests) {
  for (Inode directory = 1; directory <= 20; directory += 2) {
    list(directory);
    list(directory + 1);
    for (std::size_t file = kFiles; file > 0; file -= 2) {
      for (const Inode one : {directory, directory + 1}) {
        read(one, file - 2);
        read(one, file - 1);
      }
    }
  }
  EXPECT_LE(requested_ * 100, 20 * kFiles * 2);
  EXPECT_EQ(whole_, 20 * kFiles);
}

// A reader that reads some files from the front, then all from the end.
TEST_F(DirectoryPrefetchTest, ChangeOfDirectionIsFollowed) {
  list(1);
  for (std::size_t file = 0; file < kFiles / 10; file += 10) read(1, file);
  for (std::size_t file = kFiles; file-- > 0;) read(1, file);
  EXPECT_LE(requested_ * 100, kFiles * 5);
}

// The prefetch gets further and further ahead of a reader that requests each file just before it is
// provided.
TEST_F(DirectoryPrefetchTest, PrefetchOvertakesReaderOfEqualSpeed) {
  list(1);
  std::size_t requested = 0;
  std::set<Inode> announced;
  for (std::size_t file = 0; file < kFiles; ++file) {
    if (!announced.contains(number(1, file))) {
      files_.read(number(1, file));
      ++requested;
    }
    // Both are equally fast, but the reader begins.
    if (const auto next = files_.next()) announced.insert(next->inode);
  }
  EXPECT_LE(requested * 10, kFiles);
}

TEST_F(DirectoryPrefetchTest, TwoReadersCauseFewRequests) {
  for (Inode directory = 1; directory <= 20; directory += 2) {
    list(directory);
    list(directory + 1);
    for (std::size_t file = 0; file < kFiles; ++file) {
      read(directory, file);
      read(directory + 1, file);
    }
  }
  EXPECT_LE(requested_ * 100, 20 * kFiles * 2);
}

TEST_F(DirectoryPrefetchTest, ListingAloneCausesNoPrefetch) {
  for (Inode directory = 1; directory <= 20; ++directory) list(directory);
  EXPECT_EQ(prefetched_, 0U);
}

TEST_F(DirectoryPrefetchTest, ReadingOneFilePrefetchesFewFiles) {
  pace_ = kFiles;
  for (Inode directory = 1; directory <= 20; ++directory) {
    list(directory);
    read(directory, 500);
  }
  EXPECT_EQ(prefetched_, 20 * DirectoryPrefetch::kFirst);
  // Far from the first file: another program, or a random order.
  list(21);
  for (const std::size_t file : {100, 900, 300, 700, 0, 500}) read(21, file);
  EXPECT_LE(prefetched_, (20 + 6) * DirectoryPrefetch::kFirst);
}

// A reader that has read one directory and then only lists causes the prefetch of one directory.
TEST_F(DirectoryPrefetchTest, StoppedReaderCausesPrefetchOfOneDirectory) {
  pace_ = kFiles;
  list(1);
  for (std::size_t file = 0; file < kFiles; ++file) read(1, file);
  const std::size_t used = prefetched_;
  for (Inode directory = 2; directory <= 20; ++directory) list(directory);
  EXPECT_LT(prefetched_ - used, kFiles);
  EXPECT_GT(prefetched_, used);
}

TEST_F(DirectoryPrefetchTest, LargeAndEmptyFilesAreNotPrefetched) {
  list(1, kFiles, 0);
  list(2, kFiles, std::uint64_t{1} << 20);
  for (const std::size_t file : {0, 1, 2, 3}) {
    read(1, file);
    read(2, file);
  }
  EXPECT_EQ(prefetched_, 0U);
}

// If prefetched files are requested anyway, the kernel did not keep them.
TEST_F(DirectoryPrefetchTest, UselessPrefetchEnds) {
  list(1);
  std::size_t prefetched = 0;
  for (std::size_t file = 0; file < kFiles; ++file) {
    files_.read(number(1, file));
    for (int i = 0; i < 3; ++i) prefetched += files_.next().has_value() ? 1 : 0;
  }
  EXPECT_LT(prefetched, kFiles / 2);
}

TEST_F(DirectoryPrefetchTest, FilesAreFollowedInListedOrder) {
  std::vector<ListedFile> files;
  for (const Inode inode : {50, 10, 40, 20, 30}) files.push_back({.inode = inode, .size = 1});
  files_.listed(1, true, files);
  files_.ended(1);
  EXPECT_TRUE(files_.read(10).has_work);
  EXPECT_EQ(files_.next()->inode, 40);
  EXPECT_EQ(files_.next()->inode, 20);
  EXPECT_FALSE(files_.next().has_value());
  EXPECT_FALSE(files_.read(60).has_work);
}

}  // namespace
}  // namespace scidfs::fs
