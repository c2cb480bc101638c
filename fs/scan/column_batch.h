// Columns of the index for the games of a set, for code that counts games.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "codec/types.h"
#include "fs/database/packed_index.h"

namespace scidfs::fs {

// Some columns of some games of one block of the index. Row i belongs to games()[i].
class ColumnBatch {
 public:
  using Column = PackedIndex::Column;

  explicit ColumnBatch(std::initializer_list<Column> columns) : columns_(columns) {}

  // Reads the columns of `games`. REQUIRES: the games, ascending, are of the block, and live as
  // long as the rows are used.
  void read(const PackedIndex& index, std::size_t block, std::span<const GameIndex> games) {
    assert(std::ranges::is_sorted(games));
    assert(games.empty() || (games.front() / PackedIndex::kBlock == block &&
                             games.back() / PackedIndex::kBlock == block));
    games_ = games;
    for (const Column column : columns_) {
      PackedIndex::Values& values = values_[static_cast<std::size_t>(column)];
      if (games.size() == PackedIndex::kBlock) {
        index.values(block, column, values);
      } else {
        index.values(games, column, values);
      }
    }
  }

  std::size_t size() const { return games_.size(); }
  std::span<const GameIndex> games() const { return games_; }

  // REQUIRES for all: the columns that they use have been read.
  std::uint32_t player(std::size_t row, codec::Color color) const {
    return value(row, color == codec::Color::White ? Column::White : Column::Black);
  }
  // Returns the Elo rating; 0: none.
  std::uint32_t elo(std::size_t row, codec::Color color) const {
    return PackedIndex::elo_of(
        value(row, color == codec::Color::White ? Column::WhiteRating : Column::BlackRating));
  }
  codec::Result result(std::size_t row) const {
    return static_cast<codec::Result>(value(row, Column::Result));
  }
  // The limit of year(). A year of 0 is unknown.
  static constexpr std::size_t kYears = 2048;
  std::uint32_t year(std::size_t row) const {
    return (value(row, Column::Date) >> codec::kYearShift) % kYears;
  }
  // Returns the date in the form of codec::pack_date().
  std::uint32_t date(std::size_t row) const { return value(row, Column::Date); }
  std::uint32_t event(std::size_t row) const { return value(row, Column::Event); }
  codec::EcoCode eco(std::size_t row) const {
    return static_cast<codec::EcoCode>(value(row, Column::Eco));
  }

 private:
  std::uint32_t value(std::size_t row, Column column) const {
    assert(row < size() && std::ranges::find(columns_, column) != columns_.end());
    return values_[static_cast<std::size_t>(column)][row];
  }

  std::vector<Column> columns_;
  std::span<const GameIndex> games_;
  std::array<PackedIndex::Values, PackedIndex::kColumns> values_{};
};

}  // namespace scidfs::fs
