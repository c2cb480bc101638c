// Some columns of the games of a set, for whoever counts them.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "fs/database/packed_index.h"

namespace scidfs::fs {

// Values of games of one block of the index: row i of each column is that of game i. Reads the whole
// column or single values, whichever costs less.
template <std::size_t kCount>
class SetColumns {
 public:
  explicit SetColumns(const std::array<PackedIndex::Column, kCount>& columns) : columns_(columns) {}

  // REQUIRES: the games, ascending, are of the block.
  void read(const PackedIndex& index, std::size_t block, std::span<const GameIndex> games) {
    constexpr std::size_t kFew = 16;
    if (games.size() <= kFew) {
      for (std::size_t i = 0; i < kCount; ++i) {
        for (std::size_t row = 0; row < games.size(); ++row) {
          values_[i][row] = index.value(games[row], columns_[i]);
        }
      }
      return;
    }
    for (std::size_t i = 0; i < kCount; ++i) {
      PackedIndex::Values& values = values_[i];
      index.values(block, columns_[i], values);
      if (games.size() == PackedIndex::kBlock) continue;
      for (std::size_t row = 0; row < games.size(); ++row) {
        values[row] = values[games[row] % PackedIndex::kBlock];
      }
    }
  }

  const PackedIndex::Values& operator[](std::size_t i) const { return values_[i]; }

 private:
  std::array<PackedIndex::Column, kCount> columns_;
  std::array<PackedIndex::Values, kCount> values_{};
};

// Parts of what the columns hold.
constexpr std::uint32_t year_of(std::uint32_t packed_date) { return packed_date >> 9; }
// In whatever rating system; 0: none.
constexpr std::uint32_t elo_of(std::uint32_t packed_rating) { return packed_rating & 0xFFF; }

}  // namespace scidfs::fs
