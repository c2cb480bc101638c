// Moves as Scid stores them: a piece number and a move code in one byte.
// Source: FORMAT.md, section 5.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

inline constexpr std::size_t kMaxPieces = 16;

// A piece under its number; of type None if there is none. One integer, so that one load reads it.
class NumberedPiece {
 public:
  constexpr NumberedPiece() : NumberedPiece(PieceType::None, 0) {}
  constexpr NumberedPiece(PieceType type, Square square)
      : place_(static_cast<std::uint16_t>(place_of(type, square))) {}

  constexpr Square square() const { return place_ & 63; }
  constexpr PieceType type() const { return static_cast<PieceType>(place_ >> 6); }
  // Returns place_of() the piece.
  constexpr std::size_t place() const { return place_; }
  // Returns the same piece on another square.
  constexpr NumberedPiece on(Square square) const {
    NumberedPiece moved = *this;
    moved.place_ = static_cast<std::uint16_t>((place_ & ~63U) | square);
    return moved;
  }

  friend constexpr bool operator==(NumberedPiece, NumberedPiece) = default;

 private:
  std::uint16_t place_;
};

// The pieces of both sides by number, as they are numbered at the start of a game and renumbered by
// captures (sections 5.2 and 5.3). A plain value that accompanies a Position.
class PieceLists {
 public:
  // Returns the numbering of a game from the standard position without a FEN.
  static PieceLists standard();
  // Returns the numbering of a game from a FEN, even of the standard position. REQUIRES: at most 16
  // pieces a side and a king each, as Position guarantees.
  static PieceLists from_position(const Position& position);

  std::size_t count(Color color) const { return count_[static_cast<std::size_t>(color)]; }
  // REQUIRES: number < kMaxPieces. From count() on, the piece means nothing.
  NumberedPiece piece(Color color, std::size_t number) const {
    assert(number < kMaxPieces);
    return pieces_[static_cast<std::size_t>(color)][number];
  }
  std::uint8_t number_on(Square square) const { return number_[square]; }

  const CastlingHomes& castling_homes() const { return homes_; }

  // Follows a move of kUs by the piece of this number (any number for a null move).
  template <Color kUs>
  void make(std::size_t number, const Move& move);
  // Follows a move of kUs that is neither castling nor null: the piece of this number becomes
  // `moved`, and the piece on `victim` is taken if `takes`. For callers that do little else with a
  // move: there a branch costs less than it saves. REQUIRES: the other side has a piece, even if it
  // is not the king.
  template <Color kUs>
  void make_plain(std::size_t number, NumberedPiece moved, bool takes, Square victim) {
    assert(count(~kUs) != 0);
    if (takes) take(true, ~kUs, victim);
    place(kUs, number, moved);
  }
  // Takes back the last move; `captured_number` is number_on(victim_of(move)) from before it.
  void unmake(Color us, const Move& move, std::uint8_t captured_number);

  friend bool operator==(const PieceLists& a, const PieceLists& b);

 private:
  // Removes the piece on a square from its list if `any`; the last piece of the list gets its
  // number. Captures are hard to predict, so there is no branch: without a capture the last piece
  // is given the number that it has.
  void take(bool any, Color color, Square square) {
    const auto side = static_cast<std::size_t>(color);
    const unsigned taken = any ? 1 : 0;
    const unsigned last = count_[side] - 1U;
    const NumberedPiece moved = pieces_[side][last];
    const unsigned number = last ^ ((number_[square] ^ last) & (0U - taken));
    place(color, number, moved);
    count_[side] = static_cast<std::uint8_t>(last + 1 - taken);
  }
  void place(Color color, std::size_t number, NumberedPiece piece) {
    pieces_[static_cast<std::size_t>(color)][number] = piece;
    number_[piece.square()] = static_cast<std::uint8_t>(number);
  }
  void castle(Color us, std::size_t king, Square king_to, std::size_t rook, Square rook_to) {
    place(us, king, {PieceType::King, king_to});
    place(us, rook, {PieceType::Rook, rook_to});
  }

  std::array<std::array<NumberedPiece, kMaxPieces>, 2> pieces_{};  // stale from count() on
  std::array<std::uint8_t, 64> number_{};                          // stale on empty squares
  std::array<std::uint8_t, 2> count_{};
  CastlingHomes homes_;
};

// Move codes of a king and of a pawn that are not a single step.
inline constexpr unsigned kLongCastling = 9;
inline constexpr unsigned kShortCastling = 10;
inline constexpr unsigned kDoublePush = 15;
// Promotions by a pawn's code 3..14, three codes each.
inline constexpr std::array<PieceType, 5> kPromotions = {
    PieceType::None, PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight};

// The offset of the second byte of a queen's diagonal move from its target square.
inline constexpr int kDiagonalBase = 64;

// The meaning of a move code for a piece on a square.
struct Target {
  Square to = 0;
  std::uint8_t allowed : 3 = 0;  // set of Obstacle; empty: a special or invalid code, or a mark
  bool double_push : 1 = false;
  bool diagonal : 1 = false;  // of a queen, to the square of the next byte
};

// The targets by color, NumberedPiece::place() and code.
using TargetTable = std::array<std::array<std::array<Target, 16>, kPlaces + 64>, 2>;
extern const TargetTable kTargets;

inline Target find_target(Color color, NumberedPiece piece, unsigned code) {
  return kTargets[static_cast<std::size_t>(color)][piece.place()][code];
}

// A decoded move, or why there is none.
struct DecodedMove {
  Move move{};
  std::string_view error{};  // empty: the move is good
  bool two_bytes = false;
};

// Decodes any move, including those without an entry in kTargets. `second` is the byte after the
// move's first (0 if there is none). Makes all checks of section 5.1; the move need not be legal.
DecodedMove decode_move(const Position& position, const PieceLists& lists, std::uint8_t byte,
                        std::uint8_t second);

template <Color kUs>
[[gnu::always_inline]] inline void PieceLists::make(std::size_t number, const Move& move) {
  if (move.kind == MoveKind::Null) [[unlikely]]
    return;
  if (move.kind == MoveKind::Castling) [[unlikely]] {
    const RookMove rook = homes_.rook_move(kUs, move.to);
    castle(kUs, number, move.to, number_[rook.from], rook.to);
    return;
  }
  const PieceType type = move.promotion == PieceType::None ? move.piece : move.promotion;
  take(move.captured != PieceType::None, ~kUs, victim_of(move, kUs));
  place(kUs, number, {type, move.to});
}

}  // namespace scidfs::codec::scid
