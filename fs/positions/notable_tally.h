// The strongest and the newest of many games.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <tuple>
#include <vector>

#include "codec/types.h"
#include "fs/database/game_set.h"
#include "fs/scan/column_batch.h"

namespace scidfs::fs {

// How many games of a position explorer.json lists.
inline constexpr std::size_t kTopGames = 15;
inline constexpr std::size_t kRecentGames = 8;

// The games with the highest ranks, at most so many. A value; without games it owns no memory.
class HighestGames {
 public:
  // The rank of a game among those of the set, no two of which have the same.
  struct Ranked {
    std::uint64_t value = 0;
    std::uint64_t order = 0;  // of equal values
    GameOfPart game;

    friend bool operator>(const Ranked& a, const Ranked& b) {
      return std::tie(a.value, a.order) > std::tie(b.value, b.order);
    }
  };

  explicit HighestGames(std::size_t most) : most_(most) {}

  void add(const Ranked& game) {
    if (most_ == 0 || (heap_.size() == most_ && heap_.front() > game)) return;
    if (heap_.size() == most_) {
      std::ranges::pop_heap(heap_, std::greater());
      heap_.pop_back();
    }
    heap_.push_back(game);
    std::ranges::push_heap(heap_, std::greater());
  }
  HighestGames& operator+=(const HighestGames& other) {
    for (const Ranked& game : other.heap_) add(game);
    return *this;
  }
  // Returns the games, the highest rank first.
  std::vector<GameOfPart> games() const {
    std::vector<Ranked> sorted = heap_;
    std::ranges::sort(sorted, std::greater());
    std::vector<GameOfPart> games;
    games.reserve(sorted.size());
    for (const Ranked& ranked : sorted) games.push_back(ranked.game);
    return games;
  }

 private:
  std::size_t most_;
  std::vector<Ranked> heap_;  // the lowest in front
};

// Among games with a known result, those of the highest sum of both Elo ratings, then the first of
// the set; and those of the last date, then the last of the set. A value.
class NotableTally {
 public:
  static constexpr std::initializer_list<PackedIndex::Column> kColumns = {
      PackedIndex::Column::Result, PackedIndex::Column::Date, PackedIndex::Column::WhiteRating,
      PackedIndex::Column::BlackRating};

  NotableTally(std::size_t most_strongest, std::size_t most_newest)
      : strongest_(most_strongest), newest_(most_newest) {}

  void add(const ColumnBatch& rows, std::size_t row, std::uint32_t part = 0) {
    if (rows.result(row) == codec::Result::Unknown) return;
    const std::uint64_t ratings =
        std::uint64_t{rows.elo(row, codec::Color::White)} + rows.elo(row, codec::Color::Black);
    add({.part = part, .game = rows.games()[row]}, ratings, rows.date(row));
  }
  // Does the same for a game by the index of its database.
  void add(const PackedIndex& index, GameOfPart game) {
    using Column = PackedIndex::Column;
    const auto value = [&](Column column) { return index.value(game.game, column); };
    if (static_cast<codec::Result>(value(Column::Result)) == codec::Result::Unknown) return;
    const std::uint64_t ratings = std::uint64_t{PackedIndex::elo_of(value(Column::WhiteRating))} +
                                  PackedIndex::elo_of(value(Column::BlackRating));
    add(game, ratings, value(Column::Date));
  }
  NotableTally& operator+=(const NotableTally& other) {
    strongest_ += other.strongest_;
    newest_ += other.newest_;
    return *this;
  }

  std::vector<GameOfPart> strongest() const { return strongest_.games(); }
  std::vector<GameOfPart> newest() const { return newest_.games(); }

 private:
  void add(GameOfPart game, std::uint64_t ratings, std::uint64_t date) {
    constexpr unsigned kPartShift = 32;  // above the number of a game
    const std::uint64_t place = std::uint64_t{game.part} << kPartShift | game.game;
    strongest_.add({.value = ratings, .order = ~place, .game = game});
    newest_.add({.value = date, .order = place, .game = game});
  }

  HighestGames strongest_, newest_;
};

}  // namespace scidfs::fs
