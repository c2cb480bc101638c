// The main line of a game record, replayed as fast as can be: for whoever looks for something in
// the positions of millions of games.
// Source: FORMAT.md, sections 5 and 6.
//
// This is a second decoder beside the walk (walk.h), because the walk keeps a whole Position and
// makes all checks: here are nothing but the piece lists and the occupied squares of each side,
// which takes three quarters of the time. It trusts the record: what a whole game's record says is
// followed exactly; a damaged one may be followed further than the walk goes, through anything. So
//
//  - every position of the main line that the walk visits is visited, in order, before any other;
//  - what is found in a position must be confirmed by a walk before anybody is told of it.
//
// A fuzz target (tests/fuzz/replay_target.cc) holds it against the walk.
//
// A visitor is any class with these members, which say whether to go on:
//
//   bool start(const ReplayBoard&);               // once, before everything else
//   template <Color kUs>
//   bool move(const ReplayBoard& after, const Move&, const std::uint8_t* next);
//
// `next` is what follows the move in the record. Moves of variations are not visited.
#pragma once

#include <array>
#include <cstdint>

#include "codec/scid/moves.h"
#include "codec/scid/record.h"
#include "codec/scid/walk.h"

namespace scidfs::codec::scid {

// What a replay knows of a position. A plain value.
class ReplayBoard {
 public:
  Bitboard occupied(Color color) const { return occupied_[static_cast<std::size_t>(color)]; }
  const PieceLists& lists() const { return lists_; }
  // REQUIRES: occupied(color) has the square.
  PieceType type_on(Color color, Square square) const {
    return lists_.piece(color, lists_.number_on(square)).type();
  }

 private:
  friend class Replay;

  PieceLists lists_;
  std::array<Bitboard, 2> occupied_{};
};

// Replays records. Keeps the board of the start between games; one for each thread.
class Replay {
 public:
  Replay() {
    const Position start;
    standard_.lists_ = PieceLists::standard();
    standard_.occupied_ = {start.pieces(Color::White), start.pieces(Color::Black)};
  }

  // Visits the main line of `record`, whose head has been parsed, until the visitor has enough or
  // something comes that is no move.
  template <class Visitor>
  void run(Bytes record, const RecordHead& head, Visitor& visitor);

 private:
  enum class Step : std::uint8_t {
    Moved,
    NoMove,  // something else stood there; the same side is to move
    Over,
  };

  template <Color kUs, class Visitor>
  bool side(Visitor& visitor);
  template <Color kUs, class Visitor>
  Step ply(Visitor& visitor);
  // A move that needs more than its target's table, or a mark.
  template <Color kUs, class Visitor>
  Step special(Visitor& visitor);
  template <Color kUs, class Visitor>
  Step castle(bool is_short, Visitor& visitor);
  template <Color kUs, class Visitor>
  Step pawn(Square from, unsigned code, Visitor& visitor);
  Step mark();
  Step skip_variation();

  template <Color kUs, class Visitor>
  Step play(std::size_t number, const Move& move, bool takes, Visitor& visitor);

  ReplayBoard board_;  // comes first: what is used most is cheapest to reach
  const std::uint8_t* in_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  ReplayBoard standard_;
};

// Plays a move but castling and null moves.
template <Color kUs, class Visitor>
[[gnu::always_inline]] inline Replay::Step Replay::play(std::size_t number, const Move& move,
                                                        bool takes, Visitor& visitor) {
  constexpr auto us = static_cast<std::size_t>(kUs);
  const Square victim = victim_of(move, kUs);
  // A side without its king would have no list any more.
  if (takes && board_.lists_.number_on(victim) == 0) [[unlikely]]
    return Step::Over;
  const PieceType type = move.promotion == PieceType::None ? move.piece : move.promotion;
  board_.lists_.make<kUs>(number, type, move.to, takes, victim);
  board_.occupied_[us] = (board_.occupied_[us] & ~bit(move.from)) | bit(move.to);
  board_.occupied_[1 - us] &= ~bit(victim);
  return visitor.template move<kUs>(board_, move, in_) ? Step::Moved : Step::Over;
}

template <Color kUs, class Visitor>
[[gnu::always_inline]] inline Replay::Step Replay::ply(Visitor& visitor) {
  if (in_ == end_) [[unlikely]]
    return Step::Over;
  const std::uint8_t byte = *in_;
  const std::size_t number = byte >> 4;
  if (number >= board_.lists_.count(kUs)) [[unlikely]]
    return Step::Over;
  const NumberedPiece piece = board_.lists_.piece(kUs, number);
  const Target target = find_target(kUs, piece, byte & 15);
  const bool takes = (board_.occupied(~kUs) >> target.to & 1) != 0;
  if ((target.allowed & (takes ? obstacle_of(~kUs) : kNoObstacle)) == 0) [[unlikely]]
    return special<kUs>(visitor);
  ++in_;
  // Not needed by most visitors, and then not read.
  const PieceType captured = takes ? board_.type_on(~kUs, target.to) : PieceType::None;
  return play<kUs>(number,
                   {.from = piece.square(),
                    .to = target.to,
                    .piece = piece.type(),
                    .captured = captured,
                    .kind = target.double_push ? MoveKind::DoublePush : MoveKind::Normal},
                   takes, visitor);
}

template <Color kUs, class Visitor>
[[gnu::noinline]] Replay::Step Replay::special(Visitor& visitor) {
  constexpr unsigned kLongCastling = 9;
  constexpr unsigned kShortCastling = 10;
  const std::uint8_t byte = *in_;
  const unsigned code = byte & 15;
  const NumberedPiece piece = board_.lists_.piece(kUs, byte >> 4);
  if (is_mark(byte)) return mark();
  switch (piece.type()) {
    case PieceType::King:
      ++in_;
      if (code == kLongCastling || code == kShortCastling) {
        return castle<kUs>(code == kShortCastling, visitor);
      }
      if (code != 0) return Step::Over;
      return visitor.template move<kUs>(
                 board_, {.from = piece.square(), .to = piece.square(), .kind = MoveKind::Null},
                 in_)
                 ? Step::Moved
                 : Step::Over;
    case PieceType::Queen: {
      if (!find_target(kUs, piece, code).diagonal || in_ + 1 == end_) return Step::Over;
      const auto to = static_cast<Square>(in_[1] - kDiagonalBase);
      if (to > 63) return Step::Over;
      in_ += 2;
      const bool takes = (board_.occupied(~kUs) >> to & 1) != 0;
      return play<kUs>(byte >> 4U,
                       {.from = piece.square(),
                        .to = to,
                        .piece = PieceType::Queen,
                        .captured = takes ? board_.type_on(~kUs, to) : PieceType::None},
                       takes, visitor);
    }
    case PieceType::Pawn:
      return pawn<kUs>(piece.square(), code, visitor);
    default:
      return Step::Over;
  }
}

// En passant or a promotion.
template <Color kUs, class Visitor>
Replay::Step Replay::pawn(Square from, unsigned code, Visitor& visitor) {
  constexpr unsigned kDoublePush = 15;
  // Promotions by move code 3..14, three codes each.
  constexpr std::array<PieceType, 5> kPromotions = {
      PieceType::None, PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight};
  if (code == kDoublePush) return Step::Over;
  const int step = static_cast<int>(code % 3) + 7;
  const int target = kUs == Color::White ? from + step : from - step;
  if (target < 0 || target > 63) return Step::Over;
  const std::size_t number = *in_++ >> 4U;
  const auto to = static_cast<Square>(target);
  Move move{.from = from, .to = to, .piece = PieceType::Pawn, .promotion = kPromotions[code / 3]};
  bool takes = (board_.occupied(~kUs) >> to & 1) != 0;
  if (move.promotion == PieceType::None) {
    const Square victim = en_passant_victim(to, kUs);
    if (takes || victim > 63 || (board_.occupied(~kUs) >> victim & 1) == 0) return Step::Over;
    takes = true;
    move.kind = MoveKind::EnPassant;
    move.captured = PieceType::Pawn;
  } else if (takes) {
    move.captured = board_.type_on(~kUs, to);
  }
  return play<kUs>(number, move, takes, visitor);
}

template <Color kUs, class Visitor>
Replay::Step Replay::castle(bool is_short, Visitor& visitor) {
  constexpr auto us = static_cast<std::size_t>(kUs);
  const CastlingHomes& homes = board_.lists_.castling_homes();
  const Move move{.from = homes.king(kUs),
                  .to = castling_target(kUs, is_short),
                  .piece = PieceType::King,
                  .kind = MoveKind::Castling};
  const RookMove rook = homes.rook_move(kUs, move.to);
  // Both must be there, else the lists would lose a piece.
  if (board_.lists_.piece(kUs, 0).square() != move.from ||
      (board_.occupied_[us] >> rook.from & 1) == 0 ||
      board_.type_on(kUs, rook.from) != PieceType::Rook) {
    return Step::Over;
  }
  board_.lists_.make<kUs>(0, move);
  board_.occupied_[us] =
      (board_.occupied_[us] & ~(bit(move.from) | bit(rook.from))) | bit(move.to) | bit(rook.to);
  return visitor.template move<kUs>(board_, move, in_) ? Step::Moved : Step::Over;
}

inline Replay::Step Replay::mark() {
  switch (*in_++) {
    case kMarkNag:
      if (in_ == end_) return Step::Over;
      ++in_;
      return Step::NoMove;
    case kMarkComment:
      return Step::NoMove;
    case kMarkBeginVariation:
      return skip_variation();
    default:
      return Step::Over;
  }
}

// The second byte of a queen's move is never a mark.
inline Replay::Step Replay::skip_variation() {
  for (std::size_t depth = 1; in_ != end_;) {
    const std::uint8_t byte = *in_++;
    if (!is_mark(byte)) continue;
    if (byte == kMarkEndGame) return Step::Over;
    if (byte == kMarkNag && in_ != end_) ++in_;
    if (byte == kMarkBeginVariation) ++depth;
    if (byte == kMarkEndVariation && --depth == 0) return Step::NoMove;
  }
  return Step::Over;
}

// Whether there was a move and more is wanted.
template <Color kUs, class Visitor>
[[gnu::always_inline]] inline bool Replay::side(Visitor& visitor) {
  Step step = ply<kUs>(visitor);
  while (step == Step::NoMove) [[unlikely]] step = ply<kUs>(visitor);
  return step == Step::Moved;
}

template <class Visitor>
void Replay::run(Bytes record, const RecordHead& head, Visitor& visitor) {
  in_ = record.data() + head.moves_offset;
  end_ = record.data() + record.size();
  bool is_black = false;
  if (head.fen.has_value()) {
    board_.lists_ = PieceLists::from_position(*head.fen);
    board_.occupied_ = {head.fen->pieces(Color::White), head.fen->pieces(Color::Black)};
    is_black = head.fen->side_to_move() == Color::Black;
  } else {
    board_ = standard_;
  }
  if (!visitor.start(board_)) return;
  if (is_black && !side<Color::Black>(visitor)) return;
  while (side<Color::White>(visitor) && side<Color::Black>(visitor)) {
  }
}

}  // namespace scidfs::codec::scid
