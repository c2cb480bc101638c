// Pictures of positions: board.svg, board-black.svg.
#pragma once

#include <string>
#include <string_view>

#include "codec/position.h"
#include "codec/types.h"
#include "fs/pages/html.h"

namespace scidfs::fs {

// Returns a picture of a position, seen from a side, as an SVG file. It contains its pieces and
// refers to no other file; it has no scripts and no style sheets, so that pages with a strict
// Content-Security-Policy can show it. Its title is the position in words, for screen readers.
std::string board_svg(const codec::Position& position, codec::Color seen_from);

// Writes a board for pages whose script moves the men. It has the id "board", definitions of all
// men ("wK", "bP"), the groups "squares" (below the men), "men" and "arrows", and coordinates for
// either side below, of which the style sheet shows those that the class "turned" asks for.
void add_board(const codec::Position& position, Html& html);
// Returns where the pieces are: "White: Ke1 Qd1 Pa2; Black: Ke8; White to move".
std::string pieces_in_words(const codec::Position& position);
// Returns "White to move" or "Black to move".
std::string_view side_to_move(const codec::Position& position);

}  // namespace scidfs::fs
