// The positions of the lines of a set, and the moves counted in them.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codec/target_position.h"
#include "fs/positions/line_tally.h"

namespace scidfs::fs {

// Positions by numbers from 0 on; each has its moves once it has been counted. Used by one thread.
class LinePositions {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Move {
    codec::Move move;
    std::string san;  // without check marks
    Score score;      // of White
  };

  // Keeps only moves with at least so many games.
  explicit LinePositions(std::uint32_t fewest) : fewest_(fewest) {}

  // Returns the number of a position, which is a new one if it is not known yet.
  std::uint32_t number_of(const codec::TargetPosition& target);
  std::size_t size() const { return positions_.size(); }
  const codec::TargetPosition& target(std::uint32_t number) const {
    return positions_[number].target;
  }

  bool is_counted(std::uint32_t number) const { return positions_[number].is_counted; }
  // Adds the counts of a part of the set.
  void add(std::uint32_t number, const LineTally& tally);

  // Returns the moves that are possible if castling rights and en passant are, in the order of
  // MoveTable::moves(); null moves are left out. Valid until add() of the position.
  std::span<const Move> moves(std::uint32_t number);
  // Returns the number of the position after a move, which may be a new one.
  std::uint32_t after(std::uint32_t number, std::size_t move);

 private:
  struct Position {
    codec::TargetPosition target;
    bool is_counted = false;
    LineTally tally{};
    bool is_sorted = false;  // `moves` are those of `tally`
    std::vector<Move> moves{};
    std::vector<std::uint32_t> after{};  // by move; kNone: not asked yet
  };

  const std::uint32_t fewest_;
  std::vector<Position> positions_;
  absl::flat_hash_map<std::string, std::uint32_t> numbers_;  // by codec::position_name()
};

}  // namespace scidfs::fs
