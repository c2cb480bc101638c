// Moves in the notation of UCI: "e2e4", "e7e8q", "e1g1" for castling ("e1h1" in Chess960), "0000"
// for a null move.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec {

inline constexpr std::size_t kMaxUciLength = 5;

// Writes a square, two bytes. Returns the end of the text.
inline char* write_square(Square square, char* out) {
  *out++ = static_cast<char>('a' + file_of(square));
  *out++ = static_cast<char>('1' + rank_of(square));
  return out;
}

// Returns the squares from which kings and rooks castle in a game of Chess960 that begins here: one
// with a right to castle of a king or rook that is not on its usual square. Nothing in any other
// game.
std::optional<CastlingHomes> chess960_homes(const Position& start);

// Returns the square to which UCI lets a move go.
Square uci_target(const Move& move, const std::optional<CastlingHomes>& homes);

// Write a move as UCI does: at most kMaxUciLength bytes. Castling is the king's move to its final
// square; in Chess960, whose `homes` the first has, the king takes its rook, since its final square
// may be that of another move, or its own. The first returns the end of the text.
char* write_uci(const Move& move, const std::optional<CastlingHomes>& homes, char* out);
std::string to_uci(const Move& move);
// Writes a move of a position, as of a game that begins there.
std::string to_uci(const Position& before, const Move& move);

}  // namespace scidfs::codec
