#include "fs/database/index_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/support/files.h"
#include "tests/support/temporary_folder.h"

namespace scidfs::fs {
namespace {

using codec::scid::GameEntry;
using codec::scid::IndexEntry;
using codec::scid::kIndexEntrySize;
using codec::scid::kIndexHeaderSize;
using Column = PackedIndex::Column;

// An index of arbitrary entries: every bit pattern is valid. Runs of games share bytes, as in real
// databases.
std::string random_index(std::size_t games, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string bytes(kIndexHeaderSize, '\0');
  std::memcpy(bytes.data(), "Scid.si\0\x01\x90", 10);
  bytes[0x0E] = static_cast<char>(games >> 16);
  bytes[0x0F] = static_cast<char>(games >> 8);
  bytes[0x10] = static_cast<char>(games);
  std::string entry(kIndexEntrySize, '\0');
  for (std::size_t game = 0; game < games; ++game) {
    for (char& byte : entry) {
      if (random() % (game / 500 % 4 * 20 + 1) == 0) byte = static_cast<char>(random());
    }
    bytes += entry;
  }
  return bytes;
}

class IndexFileTest : public ::testing::Test {
 protected:
  void write(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }
  IndexFile open() {
    absl::StatusOr<IndexFile> file = IndexFile::open(path_);
    EXPECT_TRUE(file.ok()) << file.status();
    return *std::move(file);
  }
  static PackedIndex load(IndexFile& file, unsigned threads = 2) {
    absl::StatusOr<PackedIndex> index = file.load(threads, [](const IndexBlock&) {});
    EXPECT_TRUE(index.ok()) << index.status();
    return *std::move(index);
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "x.si4";
};

IndexEntry parse(const std::string& file, std::size_t game) {
  const std::string_view bytes =
      std::string_view(file).substr(kIndexHeaderSize + game * kIndexEntrySize, kIndexEntrySize);
  return codec::scid::parse_index_entry(
      {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

void expect_same(const GameEntry& a, const GameEntry& b) {
  EXPECT_EQ(a.offset, b.offset);
  EXPECT_EQ(a.length, b.length);
  EXPECT_EQ(a.flags, b.flags);
  EXPECT_EQ(a.white, b.white);
  EXPECT_EQ(a.black, b.black);
  EXPECT_EQ(a.event, b.event);
  EXPECT_EQ(a.site, b.site);
  EXPECT_EQ(a.round, b.round);
  EXPECT_EQ(a.date, b.date);
  EXPECT_EQ(a.event_date, b.event_date);
  EXPECT_EQ(a.white_rating, b.white_rating);
  EXPECT_EQ(a.black_rating, b.black_rating);
  EXPECT_EQ(a.eco, b.eco);
  EXPECT_EQ(a.result, b.result);
}

TEST_F(IndexFileTest, PackedEntriesEqualFileEntries) {
  for (const std::size_t games : {0, 1, 127, 128, 129, 4000, 65536, 65537, 70001}) {
    const std::string bytes = random_index(games, static_cast<std::uint32_t>(games));
    write(bytes);
    IndexFile file = open();
    ASSERT_EQ(file.games(), games);
    const PackedIndex index = load(file);
    for (std::size_t game = 0; game < games; ++game) {
      SCOPED_TRACE(game);
      const IndexEntry expected = parse(bytes, game);
      expect_same(index.entry(static_cast<GameIndex>(game)), expected);
      EXPECT_EQ(index.value(static_cast<GameIndex>(game), Column::White), expected.white);
      EXPECT_EQ(index.value(static_cast<GameIndex>(game), Column::Date),
                codec::pack_date(expected.date));
      if (HasFailure()) return;
    }
  }
}

TEST_F(IndexFileTest, RangesContainAllValuesOfBlock) {
  const std::string bytes = random_index(4000, 3);
  write(bytes);
  IndexFile file = open();
  const PackedIndex index = load(file);
  for (std::size_t block = 0; block < file.blocks(); ++block) {
    for (std::size_t column = 0; column < PackedIndex::kColumns; ++column) {
      const auto [least, most] = index.range(block, static_cast<Column>(column));
      for (std::size_t game = block * 128; game < std::min<std::size_t>(4000, block * 128 + 128);
           ++game) {
        const std::uint32_t value =
            index.value(static_cast<GameIndex>(game), static_cast<Column>(column));
        EXPECT_TRUE(value >= least && value <= most) << game;
      }
    }
  }
}

// Offsets of 47 bits, names of 28 to 32 bits, and fields that the other formats lack.
TEST_F(IndexFileTest, PackedEntriesOfScid5EqualFileEntries) {
  const codec::scid::IndexLayout& layout = codec::scid::kScid5Index;
  path_ = folder_ / "x.si5";
  std::mt19937 random(5);
  constexpr std::size_t kGames = 1000;
  std::string bytes;
  std::string entry(layout.entry_size, '\0');
  for (std::size_t game = 0; game < kGames; ++game) {
    for (char& byte : entry) {
      if (random() % (game / 250 * 20 + 1) == 0) byte = static_cast<char>(random());
    }
    bytes += entry;
  }
  write(bytes + "rest");
  IndexFile file = open();
  ASSERT_EQ(file.games(), kGames);
  EXPECT_EQ(file.problem(), "the index has 4 bytes after its last declared game (byte 56000)");
  const PackedIndex index = load(file);
  std::size_t beyond_scid4 = 0;
  for (std::size_t game = 0; game < kGames; ++game) {
    const IndexEntry expected = layout.parse_entry(
        tests::as_bytes(std::string_view(bytes).substr(game * layout.entry_size)));
    ASSERT_EQ(index.entry(static_cast<GameIndex>(game)), expected) << game;
    beyond_scid4 += expected.offset >> 32 != 0 && expected.chess960 ? 1 : 0;
  }
  EXPECT_GT(beyond_scid4, 100u);
}

TEST_F(IndexFileTest, RefusesMoreGamesThanCanBeNumbered) {
  path_ = folder_ / "x.si5";
  write("");
  EXPECT_EQ(open().games(), 0u);
  std::error_code error;
  std::filesystem::resize_file(path_, (std::uintmax_t{kMaxGames} + 1) * 56, error);
  if (error) GTEST_SKIP() << "no files of holes here: " << error.message();
  EXPECT_THAT(std::string(IndexFile::open(path_).status().message()),
              testing::EndsWith("x.si5: 268435456 games are more than can be shown (268435455)"));
  // It allocates no memory for games that do not exist.
  std::filesystem::resize_file(path_, std::uintmax_t{kMaxGames} * 56);
  EXPECT_THAT(std::string(IndexFile::open(path_).status().message()),
              testing::EndsWith("most of its 268435455 games have never been written"));
}

TEST_F(IndexFileTest, ColumnsEqualFieldsOfEntries) {
  constexpr std::size_t kGames = 66000;
  write(random_index(kGames, 1));
  IndexFile file = open();
  const PackedIndex index = load(file);
  PackedIndex::Values values;
  for (std::size_t block = 0; block < file.blocks(); ++block) {
    for (std::size_t column = 0; column < PackedIndex::kColumns; ++column) {
      index.values(block, static_cast<Column>(column), values);
      const std::size_t first = block * PackedIndex::kBlock;
      for (std::size_t i = 0; i < std::min(PackedIndex::kBlock, kGames - first); ++i) {
        ASSERT_EQ(values[i],
                  index.value(static_cast<GameIndex>(first + i), static_cast<Column>(column)));
      }
    }
  }
}

TEST_F(IndexFileTest, LoadingVisitsEachBlockOnce) {
  constexpr std::size_t kGames = 70000;
  const std::string bytes = random_index(kGames, 2);
  write(bytes);
  IndexFile file = open();
  std::vector<std::atomic<int>> seen(kGames);
  ASSERT_TRUE(file.load(3,
                        [&](const IndexBlock& block) {
                          EXPECT_EQ(block.first % IndexFile::kBlock, 0U);
                          for (std::size_t i = 0; i < block.entries.size(); ++i)
                            ++seen[block.first + i];
                        })
                  .ok());
  for (const std::atomic<int>& times : seen) ASSERT_EQ(times, 1);
}

TEST_F(IndexFileTest, LoadingStopsWhenCancelled) {
  constexpr std::size_t kGames = 70000;
  write(random_index(kGames, 2));
  IndexFile file = open();
  std::atomic<std::size_t> seen = 0;
  const auto count = [&](const IndexBlock& block) { seen += block.entries.size(); };
  const absl::Status status = file.load(3, count, [&] { return seen != 0; }).status();
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_LT(seen, kGames / 2);
}

TEST_F(IndexFileTest, BlocksAreReread) {
  constexpr std::size_t kGames = 300;
  const std::string bytes = random_index(kGames, 3);
  write(bytes);
  IndexFile file = open();
  load(file);
  std::vector<IndexEntry> room;
  const absl::StatusOr<IndexBlock> block = file.read_block(2, room);
  ASSERT_TRUE(block.ok()) << block.status();
  EXPECT_EQ(block->first, 256U);
  ASSERT_EQ(block->entries.size(), 44U);
  for (std::size_t i = 0; i < 44; ++i) {
    EXPECT_EQ(block->entries[i].material, parse(bytes, 256 + i).material);
    EXPECT_EQ(block->entries[i].home_pawns, parse(bytes, 256 + i).home_pawns);
  }
}

TEST_F(IndexFileTest, KnowsLongestAndShortestGameOfBlock) {
  const std::string bytes = random_index(1000, 7);
  write(bytes);
  IndexFile file = open();
  load(file);
  for (std::size_t block = 0; block < file.blocks(); ++block) {
    std::vector<unsigned> plies;
    for (std::size_t game = block * 128; game < std::min<std::size_t>(block * 128 + 128, 1000);
         ++game) {
      if (parse(bytes, game).plies != 0) plies.push_back(parse(bytes, game).plies);
    }
    std::ranges::sort(plies);
    EXPECT_EQ(file.plies(block).least, plies.empty() ? 0 : plies.front());
    EXPECT_EQ(file.plies(block).most, plies.empty() ? 0 : plies.back());
  }
}

TEST_F(IndexFileTest, SelectedGamesOfBlockEqualEntriesOfBlock) {
  const std::string bytes = random_index(300, 5);
  write(bytes);
  IndexFile file = open();
  const PackedIndex index = load(file);
  for (const std::vector<GameIndex>& games : std::vector<std::vector<GameIndex>>{
           {0}, {127}, {128, 130, 255}, {256, 299}, {5, 6, 7, 100}}) {
    const std::size_t block = games.front() / PackedIndex::kBlock;
    std::vector<IndexEntry> entries(3);
    ASSERT_TRUE(file.read_entries(block, games, entries).ok());
    ASSERT_EQ(entries.size(), games.size());
    PackedIndex::Values values{};
    index.values(games, Column::White, values);
    for (std::size_t i = 0; i < games.size(); ++i) {
      const IndexEntry expected = parse(bytes, games[i]);
      expect_same(entries[i], expected);
      EXPECT_EQ(entries[i].plies, expected.plies);
      EXPECT_EQ(entries[i].home_pawns, expected.home_pawns);
      EXPECT_EQ(values[i], expected.white);
    }
  }
}

TEST_F(IndexFileTest, OnlyChangedBlocksAreRefused) {
  std::string bytes = random_index(300, 4);
  write(bytes);
  IndexFile file = open();
  const PackedIndex index = load(file);
  const GameEntry before = index.entry(200);
  bytes[kIndexHeaderSize + 200 * kIndexEntrySize + 34] ^= 1;
  {
    // In place, as Scid writes an entry.
    std::fstream changed(path_, std::ios::binary | std::ios::in | std::ios::out);
    changed << bytes;
  }
  std::vector<IndexEntry> room;
  EXPECT_TRUE(file.read_block(0, room).ok());
  const absl::StatusOr<IndexBlock> changed = file.read_block(1, room);
  EXPECT_EQ(changed.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(changed.status().message()), ::testing::HasSubstr("has changed"));
  const std::vector<GameIndex> games = {130};
  EXPECT_EQ(file.read_entries(1, games, room), changed.status());
  EXPECT_TRUE(file.read_block(2, room).ok());
  expect_same(index.entry(200), before);
}

// It is another version, not an error of the disk.
TEST_F(IndexFileTest, BlocksBeyondTruncationAreGone) {
  write(random_index(300, 6));
  IndexFile file = open();
  load(file);
  std::filesystem::resize_file(path_, kIndexHeaderSize + 200 * kIndexEntrySize);
  std::vector<IndexEntry> room;
  EXPECT_TRUE(file.read_block(0, room).ok());
  for (const std::size_t block : {1, 2}) {
    EXPECT_EQ(file.read_block(block, room).status(),
              absl::FailedPreconditionError(path_.string() + " has changed since it was opened"));
  }
}

TEST_F(IndexFileTest, ReportsWrongLength) {
  std::string bytes = random_index(10, 5);
  write(bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(open().games(), 9U);
  EXPECT_EQ(open().problem(), "the index declares 10 games but ends after 9 (byte 605)");
  write(bytes + "x");
  EXPECT_EQ(open().games(), 10U);
  EXPECT_EQ(open().problem(), "the index has 1 bytes after its last declared game (byte 652)");
  write("no index");
  EXPECT_FALSE(IndexFile::open(path_).ok());
}

}  // namespace
}  // namespace scidfs::fs
