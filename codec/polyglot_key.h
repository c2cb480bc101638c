// The numbers by which a Polyglot opening book keeps positions and moves.
// Source: the page "PolyGlot opening book format", http://hgm.nubati.net/book_format.html.
#pragma once

#include <cstdint>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec {

// The keys of the positions of a game, each made from the one before. A plain value.
class PolyglotKey {
 public:
  // Makes the key of a board without men.
  PolyglotKey() = default;
  explicit PolyglotKey(const Position& start);

  // Follows a move. REQUIRES: `after` is the position after it.
  void follow(const Position& after, const Move& move);
  // Returns the key of the position that it has come to. En passant counts if a pawn of the side to
  // move stands beside the pawn that has just moved two squares, even if it may not take.
  std::uint64_t value(const Position& position) const;

 private:
  std::uint64_t men_ = 0;  // the part of the men on the board
};

// Returns the key of a position.
inline std::uint64_t polyglot_key(const Position& position) {
  return PolyglotKey(position).value(position);
}

// Returns the number of a move of `us`. A king that castles moves to the square of the rook. A null
// move has no number.
//
//  bits    field      width
//  14..12  promotion      3  0 none, 1 knight, 2 bishop, 3 rook, 4 queen
//  11..6   from           6  as Square
//  5..0    to             6
std::uint16_t polyglot_move(const Move& move, Color us, const CastlingHomes& homes);

}  // namespace scidfs::codec
