#include "codec/scid/bishops.h"

#include <cassert>
#include <cstddef>

#include "codec/bitboard.h"

namespace scidfs::codec::scid {
namespace {

constexpr bool is_light(Square square) { return (file_of(square) + rank_of(square)) % 2 != 0; }

bool has_light_bishop(ReplayBoard board, Color color) {
  for (std::size_t number = 0; number < board.lists().count(color); ++number) {
    const NumberedPiece piece = board.lists().piece(color, number);
    if (piece.type() == PieceType::Bishop) return is_light(piece.square());
  }
  return false;
}

bool has_light_bishop(const Position& position, Color color) {
  assert(!several(position.pieces(color, PieceType::Bishop)));
  return is_light(first_square(position.pieces(color, PieceType::Bishop)));
}

}  // namespace

bool has_opposite_bishops(const Position& position) {
  return has_light_bishop(position, Color::White) != has_light_bishop(position, Color::Black);
}

bool has_opposite_bishops(ReplayBoard board) {
  return has_light_bishop(board, Color::White) != has_light_bishop(board, Color::Black);
}

}  // namespace scidfs::codec::scid
