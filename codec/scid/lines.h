// Scid's stored lines: 254 opening lines. The index stores with which one a game begins.
// Source: FORMAT.md, section 3.2.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "codec/types.h"

namespace scidfs::codec::scid {

inline constexpr unsigned kStoredLines = 254;

// Returns the line of a code 1..254 as SAN text, e.g. "1.d4 d5 2.c4"; empty for 0 and 255.
std::string_view stored_line(unsigned code);

// Returns the same line as from and to squares, four characters for each ply, e.g. "d2d4d7d5c2c4";
// castling is the king's move.
std::string_view stored_line_squares(unsigned code);

// Returns the code of the longest stored line that begins the given main line from the standard
// position; 0 if there is none.
unsigned find_stored_line(std::span<const Move> moves);

}  // namespace scidfs::codec::scid
