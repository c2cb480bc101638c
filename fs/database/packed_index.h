// The index of a database in memory, packed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codec/scid/index.h"
#include "fs/database/game_list.h"

namespace scidfs::fs {

// What the entries of all games say (GameEntry), in about a third of the room that they take in the
// file: games stand in blocks, and in a block each column has as many bits as the difference of its
// greatest and its least value there needs. Any value of any column is found with one load.
// Whatever a file holds, it is never more than 62 bytes a game. Immutable once made; any number of
// threads may read.
class PackedIndex {
 public:
  static constexpr std::size_t kBlock = 128;         // games
  static constexpr std::size_t kSegment = 1U << 16;  // games; a multiple of kBlock

  enum class Column : std::uint8_t {
    Offset,      // its low 32 bits
    OffsetHigh,  // those above
    Length,
    Flags,  // and above them whether it is Chess960
    White,
    Black,
    Event,
    Site,
    Round,
    Date,       // see pack_date()
    EventDate,  // see pack_date()
    WhiteRating,
    BlackRating,
    Eco,
    Result,
  };
  static constexpr std::size_t kColumns = 15;

  // A date as a number that sorts as dates do: year * 512 + month * 32 + day.
  static constexpr std::uint32_t pack_date(codec::Date date) {
    return std::uint32_t{date.year} << 9 | std::uint32_t{date.month} << 5 | date.day;
  }

  static constexpr codec::Date unpack_date(std::uint32_t number) {
    return {.year = static_cast<std::uint16_t>(number >> 9),
            .month = static_cast<std::uint8_t>(number >> 5 & 0xF),
            .day = static_cast<std::uint8_t>(number & 0x1F)};
  }
  // What a rating is, 0 if unknown, without the system that it belongs to: that stands above.
  static constexpr unsigned kRatingBits = 12;
  static constexpr std::uint32_t rating_value(std::uint32_t number) {
    return number & ((1U << kRatingBits) - 1);
  }
  // Above the flags of Scid, in their column.
  static constexpr std::uint32_t kChess960 = std::uint32_t{1} << codec::scid::kFlagCount;

  // kSegment games, or fewer at the end. Threads may each pack segments of their own.
  class Segment {
   public:
    // REQUIRES: kBlock games, or fewer in the last block of all.
    void add_block(std::span<const codec::scid::GameEntry> games);
    // To be called once, after the last block.
    void finish();

   private:
    friend class PackedIndex;
    struct Block {
      std::uint32_t begin = 0;  // of its first row in bytes_
      // Where each column begins in a row, in bits; the last is the length of a row.
      std::array<std::uint16_t, kColumns + 1> bit{};
      std::array<std::uint32_t, kColumns> least{};
    };
    std::vector<Block> blocks_;
    std::vector<std::uint8_t> bytes_;
  };

  PackedIndex() = default;
  explicit PackedIndex(std::vector<Segment> segments) : segments_(std::move(segments)) {}

  // REQUIRES for all: the game is there.
  codec::scid::GameEntry entry(GameIndex game) const;
  std::uint32_t value(GameIndex game, Column column) const;
  // A column of all games of a block, in the room that the caller lends. A game's block is game /
  // kBlock; after the last game of the last block there are arbitrary values.
  using Values = std::array<std::uint32_t, kBlock>;
  void values(std::size_t block, Column column, Values& out) const;
  // The same of some games of one block, in their order.
  void values(std::span<const GameIndex> games, Column column, Values& out) const;
  // Bounds of the values of a column in a block, without a look at any: none is less than `least`
  // or more than `most`; `least` occurs, and if the two are the same there is no other value.
  struct Range {
    std::uint32_t least = 0;
    std::uint32_t most = 0;
  };
  Range range(std::size_t block, Column column) const;

  // Bytes of memory that it costs.
  std::size_t memory() const;

 private:
  // Where a game's row lies.
  struct Row {
    const Segment::Block& block;
    const std::uint8_t* bytes;
    std::size_t bit;
  };
  Row row(GameIndex game) const;
  static std::uint32_t value_of(const Row& row, Column column);

  std::vector<Segment> segments_;
};

}  // namespace scidfs::fs
