// Moves in the notation of UCI: "e2e4", "e7e8q", "e1g1" for castling, "0000" for a null move.
#pragma once

#include <string>

#include "codec/types.h"

namespace scidfs::codec {

// Returns a move as UCI writes it. Castling is the move of the king to its final square.
std::string to_uci(const Move& move);

}  // namespace scidfs::codec
