// The main line of a game record, replayed as fast as possible, to search the positions of millions
// of games.
// Source: FORMAT.md, sections 5 and 6.
//
// This is a second decoder beside the walk (walk.h). The walk keeps a whole Position and makes all
// checks; the replay keeps only the piece lists and the occupied squares of each side, which takes
// three quarters of the time. It trusts the record. It follows the record of a whole game exactly;
// it may follow a damaged one further than the walk does, through arbitrary bytes. So
//
//  - the replay visits every position of the main line that the walk visits, in order, before any
//    other;
//  - a walk must confirm a find in a position before the caller reports it.
//
// A fuzz target (tests/fuzz/replay_target.cc) compares it with the walk.
//
// A visitor is any class with these members, which return whether to continue:
//
//   bool start(ReplayBoard, Color to_move);       // once, before everything else
//   template <Color kUs>
//   bool move(ReplayBoard after, const Move&, const std::uint8_t* next);
//
// and perhaps this one:
//
//   void end(ReplayBoard last);                   // once, after everything else
//
// `next` is the place after the move in the record. Moves of variations are not visited.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

#include "codec/scid/moves.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"

namespace scidfs::codec::scid {

// The state of a replay at a position. A view, valid until the visitor returns; passed by value so
// that it stays in registers.
class ReplayBoard {
 public:
  Bitboard occupied(Color color) const { return occupied_[static_cast<std::size_t>(color)]; }
  const PieceLists& lists() const { return *lists_; }
  // REQUIRES: occupied(color) has the square.
  PieceType type_on(Color color, Square square) const {
    assert((occupied(color) & bit(square)) != 0);
    return lists_->piece(color, lists_->number_on(square)).type();
  }

 private:
  friend class Replay;

  std::array<Bitboard, 2> occupied_{};
  const PieceLists* lists_ = nullptr;
};

// A player of records. Keeps the board of the start between games; one for each thread.
//
// For any record, each side has a piece when the other one moves, and numbers and squares are in
// range. So nothing is read or written elsewhere, although lists and squares may come to contradict
// each other.
class Replay {
 public:
  // Visits the main line of `record`, whose head has been parsed, until the visitor stops it or a
  // byte is not a move.
  template <class Visitor>
  void run(Bytes record, const RecordHead& head, Visitor& visitor);

 private:
  // The state that changes with every move, apart from the lists. A value, so that it stays in
  // registers during plain moves.
  struct Place {
    const std::uint8_t* in;  // the next byte; null: the visitor has stopped or the record ends
    const std::uint8_t* end;
    std::array<Bitboard, 2> occupied;
  };
  // The state after a byte that is no plain move.
  struct Passed {
    Place place;
    bool moved;  // otherwise the same side is to move
  };

  // Follows one move of kUs, and the marks before it. Returns false if the visitor has stopped or
  // the record cannot be read further.
  template <Color kUs, class Visitor>
  bool ply(Place& place, Visitor& visitor);
  // Follows a move that needs more than its target's table, or a mark.
  template <Color kUs, class Visitor>
  Passed special(Place place, Visitor& visitor);
  template <Color kUs, class Visitor>
  Place castle(Place place, bool is_short, Visitor& visitor);
  template <Color kUs, class Visitor>
  Place pawn(Place place, Square from, Visitor& visitor);
  static Place mark(Place place);
  static Place skip_variation(Place place);

  // Plays a move except castling and null moves: the piece of this number becomes `moved`. Returns
  // false if the visitor has stopped.
  template <Color kUs, class Visitor>
  bool play(Place& place, std::size_t number, NumberedPiece moved, const Move& move, bool takes,
            Visitor& visitor);
  template <Color kUs, class Visitor>
  bool visit(const Place& place, const Move& move, Visitor& visitor) const {
    return visitor.template move<kUs>(board(place), move, place.in);
  }
  ReplayBoard board(const Place& place) const {
    ReplayBoard board;
    board.occupied_ = place.occupied;
    board.lists_ = &lists_;
    return board;
  }
  // Returns the type of the piece on a square if that side has `any` there. Without a branch, since
  // captures are hard to predict.
  PieceType type_if(bool any, Color color, Square square) const {
    const PieceType type = lists_.piece(color, lists_.number_on(square)).type();
    return any ? type : PieceType::None;
  }

  static constexpr Place over(Place place) {
    place.in = nullptr;
    return place;
  }
  static constexpr bool has(Bitboard squares, Square square) {
    return (squares >> square & 1) != 0;
  }

  PieceLists lists_;
  const PieceLists standard_lists_ = PieceLists::standard();
  const Position standard_position_;
};

template <Color kUs, class Visitor>
[[gnu::always_inline]] inline bool Replay::play(Place& place, std::size_t number,
                                                NumberedPiece moved, const Move& move, bool takes,
                                                Visitor& visitor) {
  constexpr auto kSide = static_cast<std::size_t>(kUs);
  const Square victim = victim_of(move, kUs);
  lists_.make_plain<kUs>(number, moved, takes, victim);
  place.occupied[kSide] = (place.occupied[kSide] & ~bit(move.from)) | bit(move.to);
  place.occupied[1 - kSide] &= ~bit(victim);
  return visit<kUs>(place, move, visitor);
}

template <Color kUs, class Visitor>
[[gnu::always_inline]] inline bool Replay::ply(Place& place, Visitor& visitor) {
  constexpr auto kThem = static_cast<std::size_t>(~kUs);
  // The shift from kNoObstacle to the obstacle of the other side.
  constexpr unsigned kTakes = kUs == Color::White ? 2 : 1;
  static_assert(kNoObstacle << kTakes == obstacle_of(~kUs));
  while (place.in != place.end) {
    const std::uint8_t byte = *place.in;
    const std::size_t number = byte >> 4;
    if (number >= lists_.count(kUs)) [[unlikely]]
      return false;
    const NumberedPiece piece = lists_.piece(kUs, number);
    const Target target = find_target(kUs, piece, byte & 15);
    Square to = target.to;
    bool takes = has(place.occupied[kThem], to);
    bool is_plain = (target.allowed >> (takes ? kTakes : 0) & kNoObstacle) != 0;
    if (!is_plain && target.diagonal && place.in + 1 != place.end) {
      ++place.in;
      // In a whole game the square is on the board.
      to = static_cast<Square>(*place.in - kDiagonalBase) & 63;
      takes = has(place.occupied[kThem], to);
      is_plain = true;
    }
    if (is_plain) [[likely]] {
      ++place.in;
      return play<kUs>(place, number, piece.on(to),
                       {.from = piece.square(),
                        .to = to,
                        .piece = piece.type(),
                        .captured = type_if(takes, ~kUs, to),
                        .kind = target.double_push ? MoveKind::DoublePush : MoveKind::Normal},
                       takes, visitor);
    }
    const Passed passed = special<kUs>(place, visitor);
    place = passed.place;
    if (place.in == nullptr) return false;
    if (passed.moved) return true;
  }
  return false;
}

template <Color kUs, class Visitor>
[[gnu::noinline]] Replay::Passed Replay::special(Place place, Visitor& visitor) {
  const std::uint8_t byte = *place.in;
  const unsigned code = byte & 15;
  if (is_mark(byte)) return {.place = mark(place), .moved = false};
  const NumberedPiece piece = lists_.piece(kUs, byte >> 4);
  switch (piece.type()) {
    case PieceType::King:
      if (code == kLongCastling || code == kShortCastling) {
        return {.place = castle<kUs>(place, code == kShortCastling, visitor), .moved = true};
      }
      if (code != 0) break;
      ++place.in;
      if (!visit<kUs>(place, {.from = piece.square(), .to = piece.square(), .kind = MoveKind::Null},
                      visitor)) {
        break;
      }
      return {.place = place, .moved = true};
    case PieceType::Pawn:
      return {.place = pawn<kUs>(place, piece.square(), visitor), .moved = true};
    default:
      break;
  }
  return {.place = over(place), .moved = false};
}

// Plays en passant or a promotion.
template <Color kUs, class Visitor>
Replay::Place Replay::pawn(Place place, Square from, Visitor& visitor) {
  constexpr auto kThem = static_cast<std::size_t>(~kUs);
  constexpr int kToTheRight = 7;  // by the lowest code
  const unsigned code = *place.in & 15;
  const std::size_t number = *place.in++ >> 4U;
  if (code == kDoublePush) return over(place);
  const int step = static_cast<int>(code % 3) + kToTheRight;
  const int target = kUs == Color::White ? from + step : from - step;
  if (target < 0 || target >= kNoSquare) return over(place);
  const auto to = static_cast<Square>(target);
  Move move{.from = from, .to = to, .piece = PieceType::Pawn, .promotion = kPromotions[code / 3]};
  bool takes = has(place.occupied[kThem], to);
  if (move.promotion == PieceType::None) {
    const Square victim = en_passant_victim(to, kUs);
    if (takes || victim >= kNoSquare || !has(place.occupied[kThem], victim)) return over(place);
    takes = true;
    move.kind = MoveKind::EnPassant;
    move.captured = PieceType::Pawn;
  } else {
    move.captured = type_if(takes, ~kUs, to);
  }
  const PieceType type = move.promotion == PieceType::None ? move.piece : move.promotion;
  return play<kUs>(place, number, {type, to}, move, takes, visitor) ? place : over(place);
}

template <Color kUs, class Visitor>
Replay::Place Replay::castle(Place place, bool is_short, Visitor& visitor) {
  constexpr auto kSide = static_cast<std::size_t>(kUs);
  const CastlingHomes& homes = lists_.castling_homes();
  const Move move{.from = homes.king(kUs),
                  .to = castling_target(kUs, is_short),
                  .piece = PieceType::King,
                  .kind = MoveKind::Castling};
  const RookMove rook = homes.rook_move(kUs, move.to);
  // Both must be there, or the lists would lose a piece.
  if (lists_.piece(kUs, 0).square() != move.from || !has(place.occupied[kSide], rook.from) ||
      lists_.piece(kUs, lists_.number_on(rook.from)).type() != PieceType::Rook) {
    return over(place);
  }
  ++place.in;
  lists_.make<kUs>(0, move);
  place.occupied[kSide] =
      (place.occupied[kSide] & ~(bit(move.from) | bit(rook.from))) | bit(move.to) | bit(rook.to);
  return visit<kUs>(place, move, visitor) ? place : over(place);
}

inline Replay::Place Replay::mark(Place place) {
  switch (*place.in++) {
    case kMarkNag:
      if (place.in == place.end) return over(place);
      ++place.in;
      return place;
    case kMarkComment:
      return place;
    case kMarkBeginVariation:
      return skip_variation(place);
    default:
      return over(place);
  }
}

// Skips a variation. The second byte of a queen's move is never a mark.
inline Replay::Place Replay::skip_variation(Place place) {
  for (std::size_t depth = 1; place.in != place.end;) {
    const std::uint8_t byte = *place.in++;
    if (!is_mark(byte)) continue;
    if (byte == kMarkEndGame) break;
    if (byte == kMarkNag && place.in != place.end) ++place.in;
    if (byte == kMarkBeginVariation) ++depth;
    if (byte == kMarkEndVariation && --depth == 0) return place;
  }
  return over(place);
}

template <class Visitor>
void Replay::run(Bytes record, const RecordHead& head, Visitor& visitor) {
  const Position& start = head.fen.has_value() ? *head.fen : standard_position_;
  Place place{.in = record.data() + head.moves_offset,
              .end = record.data() + record.size(),
              .occupied = {start.pieces(Color::White), start.pieces(Color::Black)}};
  lists_ = head.fen.has_value() ? PieceLists::from_position(*head.fen) : standard_lists_;
  if (visitor.start(board(place), start.side_to_move()) &&
      (start.side_to_move() == Color::White || ply<Color::Black>(place, visitor))) {
    while (ply<Color::White>(place, visitor) && ply<Color::Black>(place, visitor)) {
    }
  }
  if constexpr (requires { visitor.end(board(place)); }) visitor.end(board(place));
}

}  // namespace scidfs::codec::scid
