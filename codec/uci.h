// Moves in the notation of UCI: "e2e4", "e7e8q", "e1g1" for castling, "0000" for a null move.
#pragma once

#include <cstddef>
#include <string>

#include "codec/types.h"

namespace scidfs::codec {

inline constexpr std::size_t kMaxUciLength = 5;

// Writes a square, two bytes. Returns the end of the text.
inline char* write_square(Square square, char* out) {
  *out++ = static_cast<char>('a' + file_of(square));
  *out++ = static_cast<char>('1' + rank_of(square));
  return out;
}

// Write a move as UCI does: at most kMaxUciLength bytes. Castling is the move of the king to its
// final square. The former returns the end of the text.
char* write_uci(const Move& move, char* out);
std::string to_uci(const Move& move);

}  // namespace scidfs::codec
