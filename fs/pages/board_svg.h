// Pictures of positions: board.svg, board-black.svg.
#pragma once

#include <string>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::fs {

// Returns a picture of a position, seen from a side, as an SVG file. It contains its pieces and
// refers to no other file; it has no scripts and no style sheets, so that pages with a strict
// Content-Security-Policy can show it. Its title is the position in words, for screen readers:
// "White: Ke1 Qd1 Pa2; Black: Ke8; White to move".
std::string board_svg(const codec::Position& position, codec::Color seen_from);

}  // namespace scidfs::fs
