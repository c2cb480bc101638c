// One file for many unpacked texts: in memory, on disk, and while it moves there.
#include "fs/file/private_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using testing::HasSubstr;

std::string text_of(const PrivateRange& range, std::uint64_t offset = 0,
                    std::size_t most = 1'000'000) {
  std::string text(most, '\0');
  const std::span<std::uint8_t> room(reinterpret_cast<std::uint8_t*>(text.data()), text.size());
  const std::int64_t count = static_cast<std::int64_t>(range.read(offset, room).value());
  EXPECT_GE(count, 0);
  text.resize(static_cast<std::size_t>(count));
  return text;
}

PrivateRange put(const std::shared_ptr<PrivateFile>& file, std::string_view text) {
  const std::uint64_t start = file->size();
  EXPECT_TRUE(file->append(tests::as_bytes(text)).ok());
  return {file, start, text.size()};
}

TEST(PrivateFile, RangesAreSeparate) {
  const auto file = *PrivateFile::make({});
  const PrivateRange one = put(file, "one");
  const PrivateRange none = put(file, "");
  const PrivateRange two = put(file, "two and more");
  EXPECT_EQ(text_of(one), "one");
  EXPECT_EQ(text_of(one, 2), "e");
  EXPECT_EQ(text_of(one, 3), "");
  EXPECT_EQ(text_of(one, 1'000), "");
  EXPECT_EQ(text_of(none), "");
  EXPECT_EQ(text_of(two, 4, 3), "and");
}

TEST(PrivateFile, MemoryIsCountedUntilMovedToDiskOrFreed) {
  const tests::TemporaryFolder folder;
  const std::uint64_t before = private_bytes_in_memory();
  auto file = *PrivateFile::make({.folder = folder.path(), .most_in_memory = before + 1000});
  const PrivateRange kept = put(file, std::string(600, '1'));
  EXPECT_EQ(file->memory(), 600U);
  put(file, std::string(300, '2'));
  EXPECT_EQ(private_bytes_in_memory(), before + 900);
  file->cut(600);
  EXPECT_EQ(private_bytes_in_memory(), before + 600);
  const PrivateRange last = put(file, std::string(401, '3'));
  EXPECT_EQ(file->memory(), 0U);
  EXPECT_EQ(private_bytes_in_memory(), before);
  EXPECT_EQ(text_of(kept), std::string(600, '1'));
  EXPECT_EQ(text_of(last), std::string(401, '3'));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(PrivateFile, FailedAppendKeepsEarlierRanges) {
  const std::uint64_t before = private_bytes_in_memory();
  const auto file = *PrivateFile::make({.most_in_memory = before + 100});
  const PrivateRange kept = put(file, "kept");
  const absl::Status status = file->append(tests::as_bytes(std::string(100, 'x')));
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("no cache folder"));
  EXPECT_EQ(file->size(), 4U);
  EXPECT_EQ(private_bytes_in_memory(), before + 4);
  EXPECT_EQ(text_of(kept), "kept");
}

TEST(PrivateFile, CancelledMoveToDiskKeepsDataInMemory) {
  const tests::TemporaryFolder folder;
  bool is_over = true;
  const auto file = *PrivateFile::make({.folder = folder.path(),
                                        .most_in_memory = private_bytes_in_memory() + 10,
                                        .is_cancelled = [&is_over] { return is_over; }});
  const PrivateRange kept = put(file, "kept");
  EXPECT_TRUE(absl::IsCancelled(file->append(tests::as_bytes("seven.."))));
  EXPECT_EQ(file->memory(), 4U);
  is_over = false;
  const PrivateRange more = put(file, "seven..");
  EXPECT_EQ(file->memory(), 0U);
  EXPECT_EQ(text_of(kept) + text_of(more), "keptseven..");
}

// One of several writers exceeds the limit: no bytes of the others are lost, and readers see no
// difference.
TEST(PrivateFile, MovesToDiskDuringReadsAndWrites) {
  constexpr std::size_t kThreads = 4;
  constexpr std::size_t kPieces = 200;
  constexpr std::size_t kPiece = 5'000;
  const tests::TemporaryFolder folder;
  const auto file = *PrivateFile::make(
      {.folder = folder.path(), .most_in_memory = private_bytes_in_memory() + 2'000'000});
  const std::string text(100'000, 'r');
  const PrivateRange read = put(file, text);
  std::atomic<bool> is_done = false;
  std::thread reader([&] {
    while (!is_done) EXPECT_EQ(text_of(read), text);
  });
  std::vector<PrivateRange> ranges(kThreads);
  std::vector<std::thread> writers;
  for (std::size_t number = 0; number < kThreads; ++number) {
    writers.emplace_back([&, number] {
      const std::string piece(kPiece, static_cast<char>('a' + number));
      const std::uint64_t place = *file->reserve(kPieces * kPiece);
      for (std::size_t i = 0; i < kPieces; ++i) {
        EXPECT_TRUE(file->write(place + i * kPiece, tests::as_bytes(piece)).ok());
      }
      ranges[number] = PrivateRange(file, place, kPieces * kPiece);
    });
  }
  for (std::thread& writer : writers) writer.join();
  is_done = true;
  reader.join();
  EXPECT_EQ(file->memory(), 0U);
  for (std::size_t number = 0; number < kThreads; ++number) {
    EXPECT_EQ(text_of(ranges[number], 0, 2 * kPieces * kPiece),
              std::string(kPieces * kPiece, static_cast<char>('a' + number)));
  }
}

}  // namespace
}  // namespace scidfs::fs
