// The stored lines (lines.h) as moves, and as the bytes of their moves in a record.
// Source: FORMAT.md, sections 3.2 and 5.
#pragma once

#include <span>

#include "codec/bytes.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// Returns the moves of a line, from the standard position; none for the codes 0 and 255 and all
// others that mean no line. The view never becomes invalid.
std::span<const Move> stored_line_moves(unsigned code);

// Returns the first move bytes of a record whose game begins with that line, if no notes are in
// between. The view never becomes invalid.
Bytes stored_line_bytes(unsigned code);

}  // namespace scidfs::codec::scid
