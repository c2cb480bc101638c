#include "fs/database/packed_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace scidfs::fs {
namespace {

using codec::scid::GameEntry;
using Column = PackedIndex::Column;

// The bytes of an index, which others may change.
struct StoredBytes {
  explicit StoredBytes(const PackedIndex& index) {
    PackedIndex::Stored stored = index.stored();
    for (const codec::Bytes piece : stored.blocks) {
      blocks.insert(blocks.end(), piece.begin(), piece.end());
    }
    for (const codec::Bytes piece : stored.rows)
      rows.insert(rows.end(), piece.begin(), piece.end());
    row_ends = std::move(stored.row_ends);
  }
  std::optional<PackedIndex> index(GameIndex games) const {
    return PackedIndex::of_stored(games, blocks, rows, row_ends);
  }

  std::vector<std::uint8_t> blocks;
  std::vector<std::uint8_t> rows;
  std::vector<std::uint64_t> row_ends;
};

PackedIndex packed_index_of(const std::vector<GameEntry>& games) {
  std::vector<PackedIndex::Segment> segments(1);
  segments[0].add_block(games);
  segments[0].finish();
  return PackedIndex(std::move(segments));
}

// Games with the greatest values of all columns, and others nearly as great: three of them, so that
// the bits of a column could mean a greater one.
std::vector<GameEntry> greatest_games() {
  std::vector<GameEntry> games;
  for (std::uint32_t less = 0; less < 3; ++less) {
    GameEntry game;
    game.offset = ((std::uint64_t{1} << 47) - 1) - less;
    game.length = (1U << 17) - 1 - less;
    game.flags = (1U << codec::scid::kFlagCount) - 1 - less;
    game.chess960 = true;
    game.white = game.black = game.event = (1U << 28) - 1 - less;
    game.site = ~less;
    game.round = ~less >> 1;
    game.date = codec::unpack_date((1U << 20) - 1 - less);
    game.event_date = codec::unpack_date((1U << 21) - 1 - less);
    game.white_rating = {.value = static_cast<std::uint16_t>(4095 - less),
                         .type = codec::RatingType::Ecf};
    game.black_rating = game.white_rating;
    game.eco = static_cast<codec::EcoCode>(0xFFFF - less);
    game.result = static_cast<codec::Result>(3 - less);
    games.push_back(game);
  }
  return games;
}

TEST(PackedIndex, KeepsTheGreatestValues) {
  const std::vector<GameEntry> games = greatest_games();
  const PackedIndex index = packed_index_of(games);
  const std::optional<PackedIndex> stored = StoredBytes(index).index(3);
  for (GameIndex game = 0; game < 3; ++game) EXPECT_EQ(index.entry(game), games[game]) << game;
  EXPECT_TRUE(stored.has_value());
}

TEST(PackedIndex, AnyRowsHaveValuesOfTheirColumns) {
  StoredBytes bytes(packed_index_of(greatest_games()));
  for (const std::uint8_t byte : std::to_array<std::uint8_t>({0x00, 0x55, 0xAA, 0xFF})) {
    std::ranges::fill(bytes.rows, byte);
    const std::optional<PackedIndex> index = bytes.index(3);
    ASSERT_TRUE(index.has_value());
    for (std::size_t column = 0; column < PackedIndex::kColumns; ++column) {
      const std::uint64_t end = std::uint64_t{1} << PackedIndex::kColumnBits[column];
      EXPECT_LT(index->range(0, static_cast<Column>(column)).most, end) << column;
      for (GameIndex game = 0; game < 3; ++game) {
        EXPECT_LT(index->value(game, static_cast<Column>(column)), end) << column;
      }
    }
    for (GameIndex game = 0; game < 3; ++game) {
      EXPECT_LE(index->entry(game).white_rating.type, codec::RatingType::Ecf);
    }
  }
}

}  // namespace
}  // namespace scidfs::fs
