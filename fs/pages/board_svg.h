// Pictures of positions: board.svg, board-black.svg.
#pragma once

#include <string>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::fs {

// Returns a picture of a position, seen from a side, as a whole SVG file: it contains its pieces and
// refers to nothing else. A title and a description say the position in words, for screen readers.
std::string board_svg(const codec::Position& position, codec::Color seen_from);

// Returns where the pieces are: "White: Ke1 Qd1 Pa2; Black: Ke8; White to move".
std::string pieces_in_words(const codec::Position& position);

}  // namespace scidfs::fs
