// Moves as Scid stores them: a piece number and a move code in one byte.
// Source: specification scid4, section 5.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

inline constexpr std::size_t kMaxPieces = 16;

// A piece under its number; of type None if there is none.
struct NumberedPiece {
  Square square = 0;
  PieceType type = PieceType::None;

  friend constexpr bool operator==(NumberedPiece, NumberedPiece) = default;
};

// The pieces of both sides by number, as they are numbered at the start of a game and renumbered by
// captures (sections 5.2 and 5.3). A plain value that goes along with a Position.
class PieceLists {
 public:
  // The numbering of a game from the standard position without a FEN.
  static PieceLists standard();
  // The numbering of a game from a FEN, even if it is the standard position. REQUIRES: at most 16
  // pieces a side and a king each, as Position guarantees.
  static PieceLists from_position(const Position& position);

  std::size_t count(Color color) const { return count_[static_cast<std::size_t>(color)]; }
  // REQUIRES: number < kMaxPieces. From count() on: no piece.
  NumberedPiece piece(Color color, std::size_t number) const {
    return pieces_[static_cast<std::size_t>(color)][number];
  }
  std::uint8_t number_on(Square square) const { return number_[square]; }

  // Follows a move of kUs, made by the piece of this number (whichever that is for a null move).
  template <Color kUs>
  void make(std::size_t number, const Move& move);
  // Takes back the move followed last; `captured_number` is number_on(victim_of(move)) from before
  // it.
  void unmake(Color us, const Move& move, std::uint8_t captured_number);

  friend bool operator==(const PieceLists& a, const PieceLists& b);

 private:
  // Takes the piece on a square from its list. Out of line: it is used too seldom to take registers
  // from all other moves.
  void take(Color color, Square square);
  void place(Color color, std::size_t number, NumberedPiece piece) {
    pieces_[static_cast<std::size_t>(color)][number] = piece;
    number_[piece.square] = static_cast<std::uint8_t>(number);
  }
  void castle(Color us, std::size_t king, Square king_to, std::size_t rook, Square rook_to) {
    place(us, king, {king_to, PieceType::King});
    place(us, rook, {rook_to, PieceType::Rook});
  }

  std::array<std::array<NumberedPiece, kMaxPieces>, 2> pieces_{};
  std::array<std::uint8_t, 64> number_{};  // stale on empty squares
  std::array<std::uint8_t, 2> count_{};
  CastlingHomes homes_;
};

// What the second byte of a queen's diagonal move is above its target square.
inline constexpr int kDiagonalBase = 64;

// What a move code means for a piece on a square.
struct Target {
  Square to = 0;
  std::uint8_t allowed : 3 = 0;  // set of Obstacle; empty: a special or invalid code, or a mark
  bool double_push : 1 = false;
  bool diagonal : 1 = false;  // of a queen, to the square that the next byte tells
};

// By colour, piece type, square and code.
using TargetTable =
    std::array<std::array<std::array<std::array<Target, 16>, 64>, kPieceTypes + 1>, 2>;
extern const TargetTable kTargets;

inline Target find_target(Color color, NumberedPiece piece, unsigned code) {
  return kTargets[static_cast<std::size_t>(color)][static_cast<std::size_t>(piece.type)]
                 [piece.square][code];
}

// A decoded move, or why there is none.
struct DecodedMove {
  Move move{};
  std::string_view error{};  // empty: the move is good
  bool two_bytes = false;
};

// Decodes any move; the general way beside kTargets. `second` is the byte behind the move's first
// (0 if there is none). Makes all checks of section 5.1; the move need not be legal.
DecodedMove decode_move(const Position& position, const PieceLists& lists, std::uint8_t byte,
                        std::uint8_t second);

template <Color kUs>
[[gnu::always_inline]] inline void PieceLists::make(std::size_t number, const Move& move) {
  if (move.kind == MoveKind::Null) [[unlikely]]
    return;
  if (move.captured != PieceType::None) take(~kUs, victim_of(move, kUs));
  if (move.kind == MoveKind::Castling) [[unlikely]] {
    const RookMove rook = homes_.rook_move(kUs, move.to);
    castle(kUs, number, move.to, number_[rook.from], rook.to);
    return;
  }
  const PieceType type = move.promotion == PieceType::None ? move.piece : move.promotion;
  place(kUs, number, {move.to, type});
}

}  // namespace scidfs::codec::scid
