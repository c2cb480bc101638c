// Moves as Scid stores them: a piece number and a move code in one byte.
// Source: FORMAT.md, section 5.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

inline constexpr std::size_t kMaxPieces = 16;

// A piece under its number; of type None if there is none. One number, so that it is read at once.
class NumberedPiece {
 public:
  constexpr NumberedPiece() : NumberedPiece(PieceType::None, 0) {}
  constexpr NumberedPiece(PieceType type, Square square)
      : place_(static_cast<std::uint16_t>(place_of(type, square))) {}

  constexpr Square square() const { return place_ & 63; }
  constexpr PieceType type() const { return static_cast<PieceType>(place_ >> 6); }
  // As place_of().
  constexpr std::size_t place() const { return place_; }
  // The same piece elsewhere.
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
// captures (sections 5.2 and 5.3). A plain value that goes along with a Position.
class PieceLists {
 public:
  // The numbering of a game from the standard position without a FEN.
  static PieceLists standard();
  // The numbering of a game from a FEN, even if it is the standard position. REQUIRES: at most 16
  // pieces a side and a king each, as Position guarantees.
  static PieceLists from_position(const Position& position);

  std::size_t count(Color color) const { return count_[static_cast<std::size_t>(color)]; }
  // REQUIRES: number < count().
  NumberedPiece piece(Color color, std::size_t number) const {
    return pieces_[static_cast<std::size_t>(color)][number];
  }
  std::uint8_t number_on(Square square) const { return number_[square]; }

  const CastlingHomes& castling_homes() const { return homes_; }

  // Follows a move of kUs, made by the piece of this number (whichever that is for a null move).
  template <Color kUs>
  void make(std::size_t number, const Move& move);
  // Follows a move of kUs that is neither castling nor null: the piece of this number is `moved`
  // then, and what stands on `victim` is taken, if the move takes anything. For whoever does little
  // else with a move: there a branch costs less than what it saves. REQUIRES: the other side has a
  // piece, even if it is not the king.
  template <Color kUs>
  void make_plain(std::size_t number, NumberedPiece moved, bool takes, Square victim) {
    if (takes) take(true, ~kUs, victim);
    place(kUs, number, moved);
  }
  // Takes back the move followed last; `captured_number` is number_on(victim_of(move)) from before
  // it.
  void unmake(Color us, const Move& move, std::uint8_t captured_number);

  friend bool operator==(const PieceLists& a, const PieceLists& b);

 private:
  // Removes the piece on a square from its list if there is any; the last one of the list gets its
  // number. Whether a move takes something is hard to predict, so there is no branch: if it does
  // not, the last one is given the number that it has.
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

// Move codes of a king and of a pawn that mean more than a step.
inline constexpr unsigned kLongCastling = 9;
inline constexpr unsigned kShortCastling = 10;
inline constexpr unsigned kDoublePush = 15;
// Promotions by a pawn's code 3..14, three codes each.
inline constexpr std::array<PieceType, 5> kPromotions = {
    PieceType::None, PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight};

// What the second byte of a queen's diagonal move is above its target square.
inline constexpr int kDiagonalBase = 64;

// What a move code means for a piece on a square.
struct Target {
  Square to = 0;
  std::uint8_t allowed : 3 = 0;  // set of Obstacle; empty: a special or invalid code, or a mark
  bool double_push : 1 = false;
  bool diagonal : 1 = false;  // of a queen, to the square that the next byte tells
};

// By colour, NumberedPiece::place() and code.
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

// Decodes any move; the general way beside kTargets. `second` is the byte after the move's first
// (0 if there is none). Makes all checks of section 5.1; the move need not be legal.
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
