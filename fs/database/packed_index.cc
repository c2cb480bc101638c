#include "fs/database/packed_index.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

#include "codec/bytes.h"

namespace scidfs::fs {
namespace {

using codec::Rating;
using codec::scid::GameEntry;
using Column = PackedIndex::Column;
using Numbers = std::array<std::uint32_t, PackedIndex::kColumns>;

// Bytes after the last row, so that one load of a word can read any value.
constexpr std::size_t kPadding = sizeof(std::uint64_t);

constexpr std::uint32_t pack_rating(Rating rating) {
  return static_cast<std::uint32_t>(rating.type) << PackedIndex::kRatingBits | rating.value;
}

// There is one system less than three bits can tell apart.
constexpr Rating unpack_rating(std::uint32_t number) {
  constexpr auto kLast = static_cast<std::uint32_t>(codec::RatingType::Ecf);
  return {
      .value = static_cast<std::uint16_t>(number & PackedIndex::kMostElo),
      .type = static_cast<codec::RatingType>(std::min(number >> PackedIndex::kRatingBits, kLast))};
}

// Returns the values in the order of Column.
Numbers numbers_of(const GameEntry& entry) {
  return {static_cast<std::uint32_t>(entry.offset),
          static_cast<std::uint32_t>(entry.offset >> 32),
          entry.length,
          entry.flags | (entry.chess960 ? PackedIndex::kChess960 : 0),
          entry.white,
          entry.black,
          entry.event,
          entry.site,
          entry.round,
          codec::pack_date(entry.date),
          codec::pack_date(entry.event_date),
          pack_rating(entry.white_rating),
          pack_rating(entry.black_rating),
          entry.eco,
          static_cast<std::uint32_t>(entry.result)};
}

// Returns at least 57 bits from `bit` on: the value in the lowest bits, later values above.
std::uint64_t load_bits(const std::uint8_t* bytes, std::size_t bit) {
  return codec::load_little_word(bytes + bit / 8) >> bit % 8;
}

// Returns the greatest number of so many bits.
constexpr std::uint32_t most_of(unsigned width) {
  return static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1);
}

std::uint32_t low_bits(std::uint64_t bits, unsigned width) {
  return static_cast<std::uint32_t>(bits) & most_of(width);
}

}  // namespace

void PackedIndex::Segment::add_block(std::span<const GameEntry> games) {
  assert(!games.empty() && games.size() <= kBlock);
  std::array<Numbers, kBlock> rows;
  Numbers least;
  Numbers greatest{};
  least.fill(std::numeric_limits<std::uint32_t>::max());
  for (std::size_t i = 0; i < games.size(); ++i) {
    rows[i] = numbers_of(games[i]);
    for (std::size_t column = 0; column < kColumns; ++column) {
      least[column] = std::min(least[column], rows[i][column]);
      greatest[column] = std::max(greatest[column], rows[i][column]);
    }
  }

  Block block{.begin = static_cast<std::uint32_t>(own_bytes_.size())};
  for (std::size_t column = 0; column < kColumns; ++column) {
    assert(greatest[column] <= most_of(kColumnBits[column]));
    const auto width = static_cast<unsigned>(std::bit_width(greatest[column] - least[column]));
    block.bit[column + 1] = static_cast<std::uint16_t>(block.bit[column] + width);
    least[column] = std::min(least[column], most_of(kColumnBits[column]) - most_of(width));
  }
  block.least = least;

  // Packs values into a word. Each store writes the whole word, but only its full bytes stay: the
  // next store begins after them.
  const std::size_t bits = games.size() * block.bit[kColumns];
  own_bytes_.resize(block.begin + (bits + 7) / 8 + kPadding);
  std::uint8_t* out = own_bytes_.data() + block.begin;
  std::uint64_t word = 0;
  unsigned used = 0;  // bits of the word, below 8 before each value
  for (std::size_t i = 0; i < games.size(); ++i) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      word |= std::uint64_t{rows[i][column] - least[column]} << used;
      used += block.bit[column + 1] - block.bit[column];
      codec::store_little_word(word, out);
      out += used / 8;
      word >>= used / 8 * 8;
      used %= 8;
    }
  }
  own_bytes_.resize(block.begin + (bits + 7) / 8);
  own_blocks_.push_back(block);
}

void PackedIndex::Segment::finish() {
  own_bytes_.resize(own_bytes_.size() + kPadding);
  own_bytes_.shrink_to_fit();
  own_blocks_.shrink_to_fit();
  blocks_ = own_blocks_;
  bytes_ = own_bytes_;
}

PackedIndex::Stored PackedIndex::stored() const {
  Stored stored;
  std::uint64_t end = 0;
  for (const Segment& segment : segments_) {
    stored.blocks.emplace_back(reinterpret_cast<const std::uint8_t*>(segment.blocks_.data()),
                               segment.blocks_.size_bytes());
    stored.rows.push_back(segment.bytes_);
    stored.row_ends.push_back(end += segment.bytes_.size());
  }
  return stored;
}

// Returns whether each value of the games of a block lies in the bytes of its segment, and is one
// that its column can have.
bool PackedIndex::fits(const Segment::Block& block, std::size_t games, std::size_t bytes) {
  for (std::size_t column = 0; column < kColumns; ++column) {
    const int width = block.bit[column + 1] - block.bit[column];
    if (width < 0 || width > kColumnBits[column]) return false;
    const std::uint32_t most = most_of(kColumnBits[column]);
    if (block.least[column] > most - most_of(static_cast<unsigned>(width))) return false;
  }
  const std::size_t rows = (games * block.bit[kColumns] + 7) / 8;
  return block.bit[0] == 0 && block.begin + rows + kPadding <= bytes;
}

std::optional<PackedIndex> PackedIndex::of_stored(GameIndex games, codec::Bytes blocks,
                                                  codec::Bytes rows,
                                                  std::span<const std::uint64_t> row_ends) {
  static_assert(sizeof(Segment::Block) == 96);
  constexpr std::size_t kBlocks = kSegment / kBlock;
  const std::span<const Segment::Block> all(reinterpret_cast<const Segment::Block*>(blocks.data()),
                                            blocks.size() / sizeof(Segment::Block));
  if (all.size() != (games + kBlock - 1) / kBlock ||
      row_ends.size() != (games + kSegment - 1) / kSegment) {
    return std::nullopt;
  }
  std::vector<Segment> segments(row_ends.size());
  std::uint64_t begin = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (row_ends[i] < begin || row_ends[i] > rows.size()) return std::nullopt;
    Segment& segment = segments[i];
    segment.bytes_ = rows.subspan(begin, row_ends[i] - begin);
    segment.blocks_ = all.subspan(i * kBlocks, std::min(kBlocks, all.size() - i * kBlocks));
    std::size_t first = i * kSegment;  // game of a block
    for (const Segment::Block& block : segment.blocks_) {
      const std::size_t count = std::min<std::size_t>(kBlock, games - first);
      if (!fits(block, count, segment.bytes_.size())) return std::nullopt;
      first += kBlock;
    }
    begin = row_ends[i];
  }
  return PackedIndex(std::move(segments));
}

PackedIndex::Row PackedIndex::row(GameIndex game) const {
  assert(game / kSegment < segments_.size());
  const Segment& segment = segments_[game / kSegment];
  assert(game % kSegment / kBlock < segment.blocks_.size());
  const Segment::Block& block = segment.blocks_[game % kSegment / kBlock];
  return {.block = block,
          .bytes = segment.bytes_.data() + block.begin,
          .bit = std::size_t{game % kBlock} * block.bit[kColumns]};
}

std::uint32_t PackedIndex::value_of(const Row& row, Column column) {
  const auto i = static_cast<std::size_t>(column);
  const unsigned width = row.block.bit[i + 1] - row.block.bit[i];
  return row.block.least[i] + low_bits(load_bits(row.bytes, row.bit + row.block.bit[i]), width);
}

std::uint32_t PackedIndex::value(GameIndex game, Column column) const {
  return value_of(row(game), column);
}

std::size_t PackedIndex::memory() const {
  std::size_t bytes = segments_.capacity() * sizeof(Segment);
  for (const Segment& segment : segments_) {
    bytes +=
        segment.own_blocks_.capacity() * sizeof(Segment::Block) + segment.own_bytes_.capacity();
  }
  return bytes;
}

GameEntry PackedIndex::entry(GameIndex game) const {
  const Row row = this->row(game);
  GameEntry entry;
  entry.offset =
      std::uint64_t{value_of(row, Column::OffsetHigh)} << 32 | value_of(row, Column::Offset);
  entry.length = value_of(row, Column::Length);
  const std::uint32_t flags = value_of(row, Column::Flags);
  entry.flags = flags & (kChess960 - 1);
  entry.chess960 = (flags & kChess960) != 0;
  entry.white = value_of(row, Column::White);
  entry.black = value_of(row, Column::Black);
  entry.event = value_of(row, Column::Event);
  entry.site = value_of(row, Column::Site);
  entry.round = value_of(row, Column::Round);
  entry.date = codec::unpack_date(value_of(row, Column::Date));
  entry.event_date = codec::unpack_date(value_of(row, Column::EventDate));
  entry.white_rating = unpack_rating(value_of(row, Column::WhiteRating));
  entry.black_rating = unpack_rating(value_of(row, Column::BlackRating));
  entry.eco = static_cast<codec::EcoCode>(value_of(row, Column::Eco));
  entry.result = static_cast<codec::Result>(value_of(row, Column::Result));
  return entry;
}

void PackedIndex::values(std::size_t block, Column column, Values& out) const {
  const Row first = row(static_cast<GameIndex>(block * kBlock));
  const auto i = static_cast<std::size_t>(column);
  const unsigned width = first.block.bit[i + 1] - first.block.bit[i];
  const std::uint32_t least = first.block.least[i];
  if (width == 0) {
    out.fill(least);
    return;
  }
  const std::size_t stride = first.block.bit[kColumns];
  const Segment& segment = segments_[block * kBlock / kSegment];
  // The last block may have fewer rows than `out`: the loop must not read after the bytes.
  const std::size_t last_bit = (segment.bytes_.size() - kPadding - first.block.begin) * 8;
  std::size_t bit = first.block.bit[i];
  for (std::size_t game = 0; game < kBlock && bit < last_bit; ++game, bit += stride) {
    out[game] = least + low_bits(load_bits(first.bytes, bit), width);
  }
}

PackedIndex::Range PackedIndex::range(std::size_t block, Column column) const {
  const Segment::Block& bounds = row(static_cast<GameIndex>(block * kBlock)).block;
  const auto i = static_cast<std::size_t>(column);
  const unsigned width = bounds.bit[i + 1] - bounds.bit[i];
  return {.least = bounds.least[i], .most = bounds.least[i] + most_of(width)};
}

void PackedIndex::values(std::span<const GameIndex> games, Column column, Values& out) const {
  if (games.empty()) return;
  const Row first = row(static_cast<GameIndex>(games.front() - games.front() % kBlock));
  const auto i = static_cast<std::size_t>(column);
  const unsigned width = first.block.bit[i + 1] - first.block.bit[i];
  const std::uint32_t least = first.block.least[i];
  const std::size_t stride = first.block.bit[kColumns];
  for (std::size_t game = 0; game < games.size(); ++game) {
    const std::size_t bit = games[game] % kBlock * stride + first.block.bit[i];
    out[game] = least + low_bits(load_bits(first.bytes, bit), width);
  }
}

}  // namespace scidfs::fs
