// The index of a database in memory, packed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/scid/index.h"
#include "codec/types.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// The fields of the entries of all games (GameEntry), in about a third of their space in the file.
// Games are in blocks. In a block, each column has as many bits as the difference between its
// greatest and its least value there needs. One load finds any value of any column. Never takes
// more than 62 bytes a game, for any file. The bytes are its own, or those of an index file of the
// cache folder (stored_index.h). Immutable once made; any number of threads may read.
class PackedIndex {
 public:
  static constexpr std::size_t kBlock = 128;         // games
  static constexpr std::size_t kSegment = 1U << 16;  // games; a multiple of kBlock

  // The fields of GameEntry, in the order of a row. Most values are those of the field; these are
  // packed:
  //
  //  column                    bits    field     width  meaning
  //  Offset                    31..0   low          32  of the offset
  //  OffsetHigh                14..0   high         15  of the offset
  //  Flags                     22      Chess960      1  kChess960
  //                            21..0   flags        22  1 << codec::scid::Flag
  //  Date                      19..0   date         20  codec::pack_date()
  //  EventDate                 20..0   date         21  the same: up to three years later
  //  WhiteRating, BlackRating  14..12  system        3  codec::RatingType
  //                            11..0   rating       12  0 if it is unknown
  enum class Column : std::uint8_t {
    Offset,
    OffsetHigh,
    Length,
    Flags,
    White,
    Black,
    Event,
    Site,
    Round,
    Date,
    EventDate,
    WhiteRating,
    BlackRating,
    Eco,
    Result,
  };
  static constexpr std::size_t kColumns = 15;
  // The bits of the values of a column: those of the index files of all formats.
  static constexpr std::array<std::uint8_t, kColumns> kColumnBits = {32, 15, 17, 23, 28, 28, 28, 32,
                                                                     31, 20, 21, 15, 15, 16, 2};

  static constexpr unsigned kRatingBits = 12;
  // The numbers of Elo ratings are the ratings, up to this; those of other systems are greater.
  static constexpr std::uint32_t kMostElo = (1U << kRatingBits) - 1;
  // Returns the Elo rating; 0: none.
  static constexpr std::uint32_t elo_of(std::uint32_t number) {
    return number <= kMostElo ? number : 0;
  }
  static constexpr std::uint32_t kChess960 = std::uint32_t{1} << codec::scid::kFlagCount;

  // kSegment games, or fewer at the end. Each thread may pack its own segments.
  class Segment {
   public:
    Segment() = default;
    Segment(Segment&&) noexcept = default;
    Segment& operator=(Segment&&) noexcept = default;

    // Packs a block. REQUIRES: kBlock games, or fewer in the last block of all.
    void add_block(std::span<const codec::scid::GameEntry> games);
    // Call this once, after the last block.
    void finish();

   private:
    friend class PackedIndex;
    struct Block {
      std::uint32_t begin = 0;  // of its first row in bytes_
      // Where each column begins in a row, in bits; the last is the length of a row.
      std::array<std::uint16_t, kColumns + 1> bit{};
      // At most the least value of each column. No bits of a row, right or wrong, make a value that
      // the column cannot have.
      std::array<std::uint32_t, kColumns> least{};
    };
    std::vector<Block> own_blocks_;
    std::vector<std::uint8_t> own_bytes_;
    std::span<const Block> blocks_;
    std::span<const std::uint8_t> bytes_;
  };

  PackedIndex() = default;
  explicit PackedIndex(std::vector<Segment> segments) : segments_(std::move(segments)) {}

  // The form of an index in a file: the blocks of all games, 96 bytes each, and their rows, of one
  // segment after the other.
  struct Stored {
    std::vector<codec::Bytes> blocks;
    std::vector<codec::Bytes> rows;
    std::vector<std::uint64_t> row_ends;  // of each segment
  };
  Stored stored() const;
  // Returns an index that reads such bytes, which outlive it; nothing if they do not fit together.
  // Looks at no row: of any bytes, each value is one that its column can have.
  static std::optional<PackedIndex> of_stored(GameIndex games, codec::Bytes blocks,
                                              codec::Bytes rows,
                                              std::span<const std::uint64_t> row_ends);

  // REQUIRES for all: the game exists.
  codec::scid::GameEntry entry(GameIndex game) const;
  std::uint32_t value(GameIndex game, Column column) const;
  // Reads a column of all games of a block into the caller's `out`. A game's block is game /
  // kBlock. The values after the last game of the last block are arbitrary.
  using Values = std::array<std::uint32_t, kBlock>;
  void values(std::size_t block, Column column, Values& out) const;
  // Does the same for some games of one block, in their order.
  void values(std::span<const GameIndex> games, Column column, Values& out) const;
  // Bounds of the values of a column in a block, which take no look at the values: none is less
  // than `least` or more than `most`; if the two are equal there is no other value.
  struct Range {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
  };
  Range range(std::size_t block, Column column) const;

  // Returns the bytes of memory that this takes, without those of a file.
  std::size_t memory() const;

 private:
  // The location of a game's row.
  struct Row {
    const Segment::Block& block;
    const std::uint8_t* bytes;
    std::size_t bit;
  };
  Row row(GameIndex game) const;
  static std::uint32_t value_of(const Row& row, Column column);
  static bool fits(const Segment::Block& block, std::size_t games, std::size_t bytes);

  std::vector<Segment> segments_;
};

}  // namespace scidfs::fs
