// The stored lines (lines.h) as moves, and as the bytes that a record has of them.
// Source: FORMAT.md, sections 3.2 and 5.
#pragma once

#include <span>

#include "codec/bytes.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// The moves of a line, from the standard position; none for the codes 0 and 255 and all others that
// mean no line. Valid for ever.
std::span<const Move> stored_line_moves(unsigned code);

// What the moves of a record begin with if its game begins with that line and nothing is noted in
// between, as far as the line goes. Valid for ever.
Bytes stored_line_bytes(unsigned code);

}  // namespace scidfs::codec::scid
