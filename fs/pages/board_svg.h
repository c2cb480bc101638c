// Pictures of positions: board.svg, board-black.svg.
#pragma once

#include <string>

#include "codec/position.h"
#include "codec/types.h"
#include "fs/pages/html.h"

namespace scidfs::fs {

// Returns a picture of a position, seen from a side, as an SVG file. It contains its pieces and
// refers to no other file; it has no scripts and no style sheets, so that pages with a strict
// Content-Security-Policy can show it. Its title is the position in words, for screen readers.
std::string board_svg(const codec::Position& position, codec::Color seen_from);

// Writes a board for pages whose script moves the men. It has the id "board", definitions of all
// men ("wK", "bP"), and the group "men".
void add_board(const codec::Position& position, Html& html);
// Returns where the pieces are: "White: Ke1 Qd1 Pa2; Black: Ke8; White to move".
std::string pieces_in_words(const codec::Position& position);
// Returns the first field of a FEN.
std::string placement_of(const codec::Position& position);

}  // namespace scidfs::fs
