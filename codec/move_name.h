// The names of moves, as people and programs write them, and the moves that they mean in a
// position. parse_san() (san.h) and the reader of PGN use them; each decides what else it accepts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/bitboard.h"
#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec {

// The parts of a move's name. Castling by letters has no part but `castling`.
struct MoveName {
  enum class Castling : std::uint8_t { No, Short, Long };
  enum class Sign : std::uint8_t { None, Takes, Moves };  // none, "x" or ":", "-"

  PieceType piece = PieceType::None;  // None: any piece; then `from` is one square
  PieceType promotion = PieceType::None;
  Castling castling = Castling::No;
  Sign sign = Sign::None;
  Square to = kNoSquare;
  std::uint8_t length = 0;  // the number of characters of the name
  Bitboard from =
      ~Bitboard{0};  // the squares from which the piece may come, as far as they are told
};

// Parses the longest name at the front of a text: SAN without check marks ("Nf3", "exd5", "e8=Q",
// "O-O") and other usual forms: more than SAN requires ("Ngf3", "Ng1-f3", "Pe4"), no sign of a
// capture ("ed5", "Nd5") or another one ("N:d5"), "e8Q", "e8q", "e8/Q", "0-0", "OO", and only
// squares
// ("g1f3", "e7-e8q"). Returns nothing if the text begins with no such name.
std::optional<MoveName> parse_move_name(std::string_view text);

// Returns the squares of the pieces of the side to move that could make the named move if the king
// did not matter. Neither castling nor the sign nor the promotion counts.
inline Bitboard origins_of(const Position& position, const MoveName& name);

// Returns the named move from one of these squares.
inline Move named_move(const Position& position, const MoveName& name, Square from);

// Returns the legal castling of a name: by letters, or by squares, which are those of the king's
// move, or of king and rook as in Chess960.
std::optional<Move> named_castling(const Position& position, const MoveName& name);

namespace internal {

// Returns whether a pawn that captures on a square takes en passant.
bool takes_en_passant(const Position& position, Square to);
// Returns those of some squares that have no piece between them and `to`.
Bitboard free_origins(const Position& position, Bitboard origins, Square to);

}  // namespace internal

inline Bitboard origins_of(const Position& position, const MoveName& name) {
  const Color us = position.side_to_move();
  if (((position.pieces(us) | bit(position.king(~us))) & bit(name.to)) != 0) [[unlikely]]
    return 0;
  const PieceType type =
      name.piece == PieceType::None ? position.piece_at(first_square(name.from)).type : name.piece;
  Bitboard origins = position.pieces(us, type) & name.from & pseudo_origins(us, type, name.to);
  // A pawn captures slantwise and else goes straight.
  const Bitboard straight = file_mask(file_of(name.to));
  const Bitboard wrong = of_pawns(type, position.piece_at(name.to).empty() ? ~straight : straight);
  if ((origins & wrong) != 0) [[unlikely]] {
    if (!internal::takes_en_passant(position, name.to)) origins &= ~wrong;
  }
  if (several(origins)) [[unlikely]]
    return internal::free_origins(position, origins, name.to);
  if (origins == 0) [[unlikely]]
    return 0;
  return (between(first_square(origins), name.to) & position.occupied()) == 0 ? origins : 0;
}

inline Move named_move(const Position& position, const MoveName& name, Square from) {
  const PieceType piece = position.piece_at(from).type;
  const PieceType target = position.piece_at(name.to).type;
  const bool is_double = of_pawns(piece, between(from, name.to)) != 0;
  Move move{.from = from,
            .to = name.to,
            .piece = piece,
            .captured = target,
            .promotion = name.promotion,
            .kind = is_double ? MoveKind::DoublePush : MoveKind::Normal};
  const Bitboard beside = of_pawns(piece, bit(from) & ~file_mask(file_of(name.to)));
  if (target == PieceType::None && beside != 0) [[unlikely]] {
    move.kind = MoveKind::EnPassant;
    move.captured = PieceType::Pawn;
  }
  return move;
}

}  // namespace scidfs::codec
