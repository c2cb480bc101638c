#include "fs/database/game_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

constexpr std::size_t kChunk = GameFile::kChunk;
const auto kNeverStop = [] { return false; };

class GameFileTest : public testing::Test {
 protected:
  GameFileTest() { tests::write_file(path_, bytes_); }

  GameFile open(std::uint64_t records_end) const {
    absl::StatusOr<GameFile> file = GameFile::open(path_);
    EXPECT_TRUE(file.ok());
    file->expect_records(records_end, records_end);
    return *std::move(file);
  }
  GameFile open() const { return open(std::filesystem::file_size(path_)); }
  // Overwrites some bytes, as a program with an open file does.
  void patch(std::size_t offset, std::string_view bytes) const {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(offset));
    file << bytes;
  }
  void append(std::string_view bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::app) << bytes;
  }
  // "" for an error that says that the bytes are gone.
  static std::string text(const GameFile& file, std::size_t first, std::size_t count) {
    std::vector<std::uint8_t> bytes;
    const absl::Status status = file.read(first, count, bytes);
    if (status.ok()) return {bytes.begin(), bytes.end()};
    EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
    return "";
  }

  // Three and a half chunks.
  const std::string bytes_ = [] {
    std::string bytes;
    while (bytes.size() < 7 * kChunk / 2) bytes += std::to_string(bytes.size()) + ' ';
    bytes.resize(7 * kChunk / 2);
    return bytes;
  }();
  tests::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "x.sg4";
};

TEST_F(GameFileTest, ReadsChunksAndRanges) {
  const GameFile file = open();
  EXPECT_EQ(file.chunks(), 4U);
  EXPECT_EQ(text(file, 0, 4), bytes_);
  EXPECT_EQ(text(file, 3, 1), bytes_.substr(3 * kChunk));
  std::vector<std::uint8_t> some;
  ASSERT_TRUE(file.read_exactly(kChunk - 3, 7, some).ok());
  EXPECT_EQ(std::string(some.begin(), some.end()), bytes_.substr(kChunk - 3, 7));
}

TEST_F(GameFileTest, ReadsComeFromLocalCopyWhileThereIsOne) {
  const GameFile local = open();
  ASSERT_EQ(*local.copy_to(folder_.path(), kNeverStop), nullptr);
  absl::StatusOr<GameFile> file = GameFile::open(path_, FileOrigin({}, Locality::Remote));
  ASSERT_TRUE(file.ok());
  file->expect_records(bytes_.size(), bytes_.size());
  EXPECT_TRUE(absl::IsCancelled(file->copy_to(folder_.path(), [] { return true; }).status()));
  {
    const absl::StatusOr<GameFile::LocalCopy> copy = file->copy_to(folder_.path(), kNeverStop);
    ASSERT_TRUE(copy.ok()) << copy.status();
    ASSERT_NE(*copy, nullptr);
    patch(kChunk, "new");
    EXPECT_EQ(text(*file, 0, 4), bytes_);
    std::vector<std::uint8_t> some;
    ASSERT_TRUE(file->read_exactly(kChunk - 3, 7, some, GameFile::Check::Later).ok());
    EXPECT_EQ(std::string(some.begin(), some.end()), bytes_.substr(kChunk - 3, 7));
    EXPECT_FALSE(file->is_as_opened());
  }
  EXPECT_EQ(text(*file, 0, 4), "");
  // Nothing is copied of a file that has changed, and no name is left in the folder.
  EXPECT_TRUE(absl::IsFailedPrecondition(file->copy_to(folder_.path(), kNeverStop).status()));
  const std::filesystem::directory_iterator names(folder_.path());
  EXPECT_EQ(std::distance(begin(names), end(names)), 1);
}

TEST_F(GameFileTest, SparseFileIsNotCopied) {
  std::filesystem::resize_file(path_, std::uintmax_t{1} << 40);
  absl::StatusOr<GameFile> file = GameFile::open(path_, FileOrigin({}, Locality::Remote));
  ASSERT_TRUE(file.ok());
  file->expect_records(std::uintmax_t{1} << 40, bytes_.size());
  EXPECT_TRUE(absl::IsUnimplemented(file->copy_to(folder_.path(), kNeverStop).status()));
}

TEST_F(GameFileTest, PartWithoutRecordsHasNoChunks) {
  std::filesystem::resize_file(path_, std::uintmax_t{1} << 40);
  EXPECT_EQ(open(kChunk + 1).chunks(), 2U);
  EXPECT_EQ(open(0).chunks(), 0U);
}

TEST_F(GameFileTest, OldChunksAreReadableAfterAppend) {
  const GameFile file = open();
  EXPECT_EQ(text(file, 0, 4), bytes_);
  append("more");
  EXPECT_EQ(text(file, 0, 4), bytes_);
}

TEST_F(GameFileTest, OnlyOverwrittenChunksAreGone) {
  const GameFile file = open();
  EXPECT_EQ(text(file, 0, 4), bytes_);
  patch(kChunk + 100, "other");
  EXPECT_EQ(text(file, 0, 1), bytes_.substr(0, kChunk));
  EXPECT_EQ(text(file, 1, 1), "");
  EXPECT_EQ(text(file, 0, 2), "");
  EXPECT_EQ(text(file, 2, 2), bytes_.substr(2 * kChunk));
}

TEST_F(GameFileTest, KnowsWhetherBytesAreLost) {
  const GameFile file = open();
  file.sum_up(kNeverStop);
  EXPECT_FALSE(file.has_lost_bytes());
  append("more");
  EXPECT_FALSE(file.has_lost_bytes());
  patch(2 * kChunk, "x");
  EXPECT_TRUE(file.has_lost_bytes());
  patch(2 * kChunk, bytes_.substr(2 * kChunk, 1));
  EXPECT_FALSE(file.has_lost_bytes());
  std::filesystem::resize_file(path_, 100);
  EXPECT_TRUE(file.has_lost_bytes());
  EXPECT_FALSE(GameFile().has_lost_bytes());
}

TEST_F(GameFileTest, ChunksNotReadBeforeChangeAreGone) {
  const GameFile file = open();
  EXPECT_NE(text(file, 0, 1), "");
  append("more");
  EXPECT_NE(text(file, 0, 1), "");
  EXPECT_EQ(text(file, 1, 1), "");
}

TEST_F(GameFileTest, AdoptedChecksumsKeepChunksReadable) {
  const GameFile file = open();
  file.sum_up(kNeverStop);
  GameFile again = open();
  again.adopt_sums(file.copy_sums());
  append("more");
  EXPECT_EQ(text(again, 0, 4), bytes_);
  std::vector<std::uint64_t> wrong = file.copy_sums();
  ++wrong[2];
  GameFile other = open();
  other.expect_records(bytes_.size(), bytes_.size());
  other.adopt_sums(std::move(wrong));
  EXPECT_EQ(text(other, 1, 1), bytes_.substr(kChunk, kChunk));
  EXPECT_EQ(text(other, 2, 1), "");
}

TEST_F(GameFileTest, KnowsWhetherVersionContinuesAnother) {
  const GameFile before = open();
  before.sum_up(kNeverStop);
  append(std::string(2 * kChunk, 'x'));
  const GameFile longer = open();
  longer.sum_up(kNeverStop);
  EXPECT_TRUE(longer.begins_with(before));
  EXPECT_FALSE(before.begins_with(longer));
  EXPECT_TRUE(longer.has_same_chunks(before, 10, 2 * kChunk));
  EXPECT_FALSE(longer.has_same_chunks(before, 3 * kChunk, 10));  // the last one was shorter
  // Bytes that belonged to a record now belong to none: nothing verifies them.
  EXPECT_FALSE(open(kChunk).begins_with(before));

  patch(bytes_.size() - 1, "#");
  const GameFile changed_at_the_end = open();
  changed_at_the_end.sum_up(kNeverStop);
  EXPECT_FALSE(changed_at_the_end.begins_with(before));
  EXPECT_TRUE(changed_at_the_end.has_same_chunks(before, 0, 3 * kChunk));
}

TEST_F(GameFileTest, ChunksOfTruncatedFileAreGone) {
  const GameFile file = open();
  file.sum_up(kNeverStop);
  std::filesystem::resize_file(path_, 2 * kChunk);
  EXPECT_EQ(text(file, 0, 2), bytes_.substr(0, 2 * kChunk));
  EXPECT_EQ(text(file, 1, 2), "");
}

// A few records at both ends of a file of terabytes.
TEST_F(GameFileTest, FarApartRecordsHaveNoChecksums) {
  constexpr std::uint64_t kFar = std::uint64_t{1} << 42;
  std::error_code error;
  std::filesystem::resize_file(path_, kFar, error);
  if (error) GTEST_SKIP() << "no files of holes here: " << error.message();
  append("behind");
  absl::StatusOr<GameFile> opened = GameFile::open(path_);
  ASSERT_TRUE(opened.ok());
  GameFile& file = *opened;
  file.expect_records(kFar + 6, 1'000'000);
  EXPECT_EQ(file.chunks(), kFar / kChunk + 1);
  EXPECT_EQ(file.summed_chunks(), 0u);
  EXPECT_TRUE(file.copy_sums().empty());
  EXPECT_EQ(text(file, kFar / kChunk, 1), "behind");
  EXPECT_EQ(text(file, 0, 1), bytes_.substr(0, kChunk));
  file.sum_up(kNeverStop);
  EXPECT_FALSE(file.has_same_chunks(file, 0, 100));
  EXPECT_FALSE(file.begins_with(file));
  // Only while the file is unchanged.
  append("more");
  EXPECT_EQ(text(file, 0, 1), "");
  // Enough records for checksums of a file of that size.
  GameFile other = *GameFile::open(path_);
  other.expect_records(kFar / 64, kFar / 512);
  EXPECT_EQ(other.summed_chunks(), other.chunks());
}

}  // namespace
}  // namespace scidfs::fs
