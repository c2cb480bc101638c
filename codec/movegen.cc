#include "codec/movegen.h"

namespace scidfs::codec {
namespace {

// Calls `found(Move)` for each pseudo-legal move of the piece on `from` until it returns false.
template <class Found>
bool for_targets(const Position& position, Square from, PieceType type, Bitboard targets,
                 Found&& found) {
  for (; targets != 0; targets &= targets - 1) {
    const Square to = first_square(targets);
    if (!found(
            Move{.from = from, .to = to, .piece = type, .captured = position.piece_at(to).type})) {
      return false;
    }
  }
  return true;
}

template <class Found>
bool for_piece_moves(const Position& position, PieceType type, Found&& found) {
  const Color us = position.side_to_move();
  const Bitboard allowed = ~position.pieces(us) & ~bit(position.king(~us));
  for (Bitboard set = position.pieces(us, type); set != 0; set &= set - 1) {
    const Square from = first_square(set);
    const Bitboard targets = attacks(type, from, position.occupied()) & allowed;
    if (!for_targets(position, from, type, targets, found)) return false;
  }
  return true;
}

template <class Found>
bool for_pawn_target(Move move, Found&& found) {
  if (rank_of(move.to) != 0 && rank_of(move.to) != 7) return found(move);
  for (const PieceType promotion :
       {PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight}) {
    move.promotion = promotion;
    if (!found(move)) return false;
  }
  return true;
}

template <class Found>
bool for_pawn_moves(const Position& position, Found&& found) {
  const Color us = position.side_to_move();
  const int forward = us == Color::White ? 8 : -8;
  const int home_rank = us == Color::White ? 1 : 6;
  const Bitboard victims = position.pieces(~us) & ~bit(position.king(~us));
  for (Bitboard set = position.pieces(us, PieceType::Pawn); set != 0; set &= set - 1) {
    const Square from = first_square(set);
    if (rank_of(from) == (us == Color::White ? 7 : 0)) continue;
    Move move{.from = from, .piece = PieceType::Pawn};
    move.to = static_cast<Square>(from + forward);
    if ((position.occupied() & bit(move.to)) == 0) {
      if (!for_pawn_target(move, found)) return false;
      const Square two = static_cast<Square>(from + 2 * forward);
      if (rank_of(from) == home_rank && (position.occupied() & bit(two)) == 0) {
        move.to = two;
        move.kind = MoveKind::DoublePush;
        if (!found(move)) return false;
        move.kind = MoveKind::Normal;
      }
    }
    for (Bitboard to = pawn_attacks(us, from) & victims; to != 0; to &= to - 1) {
      move.to = first_square(to);
      move.captured = position.piece_at(move.to).type;
      if (!for_pawn_target(move, found)) return false;
    }
    const Square passed = position.en_passant();
    if (passed != kNoSquare && (pawn_attacks(us, from) & bit(passed)) != 0 &&
        position.piece_at(en_passant_victim(passed, us)) == Piece{PieceType::Pawn, ~us} &&
        position.piece_at(passed).empty()) {
      move.to = passed;
      move.captured = PieceType::Pawn;
      move.kind = MoveKind::EnPassant;
      if (!found(move)) return false;
    }
  }
  return true;
}

// Calls `found(Move)` for each legal move until it returns false.
template <class Found>
void for_legal_moves(const Position& position, Found&& found) {
  const auto legal = [&](const Move& move) { return !is_legal(position, move) || found(move); };
  for (const PieceType type :
       {PieceType::King, PieceType::Knight, PieceType::Bishop, PieceType::Rook, PieceType::Queen}) {
    if (!for_piece_moves(position, type, legal)) return;
  }
  if (!for_pawn_moves(position, legal)) return;
  for (const bool is_short : {true, false}) {
    if (const std::optional<Move> castling = legal_castling(position, is_short)) {
      if (!found(*castling)) return;
    }
  }
}

}  // namespace

bool is_legal(const Position& position, const Move& move) {
  if (move.kind == MoveKind::Castling) {
    Position after = position;
    after.make(move);
    return !after.in_check(~after.side_to_move());
  }
  const Color us = position.side_to_move();
  Bitboard gone = bit(move.to);
  Bitboard occupied = (position.occupied() & ~bit(move.from)) | bit(move.to);
  if (move.kind == MoveKind::EnPassant) {
    gone = bit(en_passant_victim(move.to, us));
    occupied &= ~gone;
  }
  const Square king = move.piece == PieceType::King ? move.to : position.king(us);
  return (position.attackers(king, ~us, occupied) & ~gone) == 0;
}

std::optional<Move> fitting_castling(const Position& position, bool is_short) {
  const Color us = position.side_to_move();
  const Square from = position.castling_homes().king(us);
  const Square to = castling_target(us, is_short);
  const RookMove rook = position.castling_homes().rook_move(us, to);
  if (position.king(us) != from || position.piece_at(rook.from) != Piece{PieceType::Rook, us} ||
      (castling_path(from, to, rook) & position.occupied()) != 0) {
    return std::nullopt;
  }
  return Move{.from = from, .to = to, .piece = PieceType::King, .kind = MoveKind::Castling};
}

std::optional<Move> legal_castling(const Position& position, bool is_short) {
  const Color us = position.side_to_move();
  const unsigned right = (is_short ? kWhiteShort : kWhiteLong) << (us == Color::White ? 0 : 2);
  if ((position.castling() & right) == 0) return std::nullopt;
  std::optional<Move> move = fitting_castling(position, is_short);
  if (!move.has_value()) return std::nullopt;
  Bitboard passed = between(move->from, move->to) | bit(move->from);
  for (; passed != 0; passed &= passed - 1) {
    if (position.attackers(first_square(passed), ~us, position.occupied()) != 0) {
      return std::nullopt;
    }
  }
  if (!is_legal(position, *move)) move.reset();
  return move;
}

MoveList legal_moves(const Position& position) {
  MoveList moves;
  for_legal_moves(position, [&](const Move& move) {
    moves.add(move);
    return true;
  });
  return moves;
}

bool has_legal_move(const Position& position) {
  bool found = false;
  for_legal_moves(position, [&](const Move&) {
    found = true;
    return false;
  });
  return found;
}

std::uint64_t perft(const Position& position, int depth) {
  if (depth <= 0) return 1;
  std::uint64_t leaves = 0;
  if (depth == 1) {
    for_legal_moves(position, [&](const Move&) {
      ++leaves;
      return true;
    });
    return leaves;
  }
  for_legal_moves(position, [&](const Move& move) {
    Position after = position;
    after.make(move);
    leaves += perft(after, depth - 1);
    return true;
  });
  return leaves;
}

}  // namespace scidfs::codec
