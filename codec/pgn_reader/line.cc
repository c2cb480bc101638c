#include "codec/pgn_reader/line.h"

#include <cassert>

#include "codec/movegen.h"

namespace scidfs::codec::pgn_reader {

void Line::start(const Position& position) {
  position_ = position;
  has_move_ = false;
  parents_.clear();
}

void Line::make(const Move& move) {
  undo_ = position_.undo();
  last_ = move;
  has_move_ = true;
  position_.make(move);
}

Line::Reading Line::play_castling(const MoveName& name) {
  std::optional<Move> castling = named_castling(position_, name);
  const bool is_legal = castling.has_value();
  if (!is_legal && name.castling != MoveName::Castling::No) {
    castling = fitting_castling(position_, name.castling == MoveName::Castling::Short);
  }
  if (!castling.has_value()) return Reading::Illegal;
  make(*castling);
  return is_legal ? Reading::Move : Reading::ForbiddenCastling;
}

Line::Reading Line::play(const MoveName& name) {
  if (name.castling != MoveName::Castling::No) return play_castling(name);
  Bitboard origins = origins_of(position_, name);
  if (several(origins)) [[unlikely]] {
    Bitboard legal = 0;
    for (; origins != 0; origins &= origins - 1) {
      const Square from = first_square(origins);
      if (is_legal(position_, named_move(position_, name, from))) legal |= bit(from);
    }
    if (several(legal)) return Reading::Ambiguous;
    origins = legal;
  }
  if (origins == 0) return play_castling(name);
  undo_ = position_.undo();
  last_ = named_move(position_, name, first_square(origins));
  has_move_ = true;
  Reading reading = Reading::Move;
  const bool promotes = of_pawns(last_.piece, bit(name.to) & (rank_mask(0) | rank_mask(7))) != 0;
  if (promotes != (name.promotion != PieceType::None)) [[unlikely]] {
    if (!promotes) return Reading::Illegal;
    last_.promotion = PieceType::Queen;
    reading = Reading::PromotedToQueen;
  }
  const Color us = position_.side_to_move();
  position_.make(last_);
  if (!position_.in_check(us)) [[likely]]
    return reading;
  position_.unmake(last_, undo_);
  return play_castling(name);
}

void Line::pass() {
  const Square king = position_.king(position_.side_to_move());
  make({.from = king, .to = king, .kind = MoveKind::Null});
}

bool Line::open() {
  if (!has_move_ || parents_.size() == kMaxDepth) return false;
  parents_.push_back({.position = position_, .undo = undo_, .last = last_});
  position_.unmake(last_, undo_);
  has_move_ = false;
  return true;
}

void Line::close() {
  assert(is_variation());
  const State& state = parents_.back();
  position_ = state.position;
  undo_ = state.undo;
  last_ = state.last;
  has_move_ = true;
  parents_.pop_back();
}

}  // namespace scidfs::codec::pgn_reader
