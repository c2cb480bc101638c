// The end of a game to search for: mate by some man, or stalemate.
#pragma once

#include "codec/types.h"

namespace scidfs::codec {

// A plain value.
struct MateTarget {
  // The man of either color that gives mate by the last move: the king if that is castling, the
  // pawn if it is a promotion. None: stalemate.
  PieceType man = PieceType::None;
};

}  // namespace scidfs::codec
