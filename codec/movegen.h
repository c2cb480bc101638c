// Legal moves of a position. Decoding a game never generates moves; mate, SAN input and tests do.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "codec/position.h"

namespace scidfs::codec {

// A list of moves without allocation. 16 queens have fewer than 512 moves.
class MoveList {
 public:
  void add(const Move& move) { moves_[size_++] = move; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }

 private:
  std::array<Move, 512> moves_;
  std::size_t size_ = 0;
};

// Returns whether `move`, which fits the board, leaves the mover's king out of check. For castling
// only the final position counts.
bool is_legal(const Position& position, const Move& move);

// Return the castling to that side if it fits the board: king and rook stand where they castle
// from, and nothing is between; and if it is also legal: the right is there, and no square of the
// king is attacked.
std::optional<Move> fitting_castling(const Position& position, bool is_short);
std::optional<Move> legal_castling(const Position& position, bool is_short);

// Returns all legal moves.
MoveList legal_moves(const Position& position);

// Returns whether the side to move has a legal move; tries the king's moves first.
bool has_legal_move(const Position& position);

// Returns whether the side to move is checkmated.
inline bool is_checkmate(const Position& position) {
  return position.in_check(position.side_to_move()) && !has_legal_move(position);
}

// Returns whether the side to move has no legal move and is not in check.
inline bool is_stalemate(const Position& position) {
  return !position.in_check(position.side_to_move()) && !has_legal_move(position);
}

// Returns the number of leaf positions `depth` plies deep: the usual test of move generation.
std::uint64_t perft(const Position& position, int depth);

}  // namespace scidfs::codec
