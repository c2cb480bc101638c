// The names of moves, as people and programs write them, and the moves that they mean in a
// position. parse_san() (san.h) and the reader of PGN use them; each decides what else it accepts.
#pragma once

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
Bitboard origins_of(const Position& position, const MoveName& name);

// Returns the named move from one of these squares.
Move named_move(const Position& position, const MoveName& name, Square from);

// Returns the legal castling of a name: by letters, or by squares, which are those of the king's
// move, or of king and rook as in Chess960.
std::optional<Move> named_castling(const Position& position, const MoveName& name);

}  // namespace scidfs::codec
