// The line of moves that a reader is in, and the lines around it.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "codec/move_name.h"
#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec::pgn_reader {

// Plays moves by their names. Lines around a variation are on the heap. Keeps its room between
// games; one per thread.
class Line {
 public:
  // How a name was understood. All but the last two are moves.
  enum class Reading : std::uint8_t {
    Move,
    PromotedToQueen,
    ForbiddenCastling,
    Illegal,
    Ambiguous
  };

  // A bound on nesting, and so on memory.
  static constexpr std::size_t kMaxDepth = 1000;

  void start(const Position& position);

  const Position& position() const { return position_; }
  // REQUIRES: has_move().
  const Move& last_move() const {
    assert(has_move());
    return last_;
  }
  bool has_move() const { return has_move_; }
  bool is_variation() const { return !parents_.empty(); }

  // Plays the move if there is exactly one legal one of that name. The sign of a capture does not
  // count; a pawn becomes a queen if its name does not say what; castling by letters needs only to
  // fit the board, as in Scid. Else the line ends before it: no call but position(),
  // is_variation(), close() or start() may follow.
  Reading play(const MoveName& name);
  void pass();

  // Begins a variation in place of the last move. Returns false if there is none, or if the line is
  // kMaxDepth deep.
  bool open();
  // Returns to the line around. REQUIRES: is_variation().
  void close();

 private:
  struct State {
    Position position;
    Position::Undo undo;  // of the last move
    Move last;
  };

  void make(const Move& move);
  Reading play_castling(const MoveName& name);

  Position position_;
  Position::Undo undo_;
  Move last_;
  bool has_move_ = false;
  std::vector<State> parents_;
};

}  // namespace scidfs::codec::pgn_reader
