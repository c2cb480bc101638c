// The moves of a position with no more than their results, for thousands of positions at once.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "codec/types.h"
#include "fs/positions/move_table.h"
#include "fs/scan/score.h"

namespace scidfs::fs {

// The counts of one thread for a position. A value; without games it owns no memory.
class LineTally {
 public:
  struct Row {
    codec::Move move;
    Score score;  // of White
  };

  // Counts a game as MoveTally::add() does; a game that ends in the position does not count.
  void add(const MoveTally::Game& game, const std::optional<codec::Move>& next,
           codec::Color /*side_to_move*/) {
    if (next.has_value()) row_of(*next).add(outcome_of(game.result, codec::Color::White));
  }
  LineTally& operator+=(const LineTally& other) {
    for (const Row& row : other.rows_) row_of(row.move) += row.score;
    return *this;
  }
  // Adds the games of a move.
  void add(const codec::Move& move, const Score& score) { row_of(move) += score; }
  // Returns the moves in no particular order.
  std::span<const Row> rows() const { return rows_; }

 private:
  Score& row_of(const codec::Move& move) {
    for (Row& row : rows_) {
      if (number_of(row.move) == number_of(move)) return row.score;
    }
    return rows_.emplace_back(Row{.move = move, .score = {}}).score;
  }

  std::vector<Row> rows_;
};

}  // namespace scidfs::fs
