// The squares of bishops.
#pragma once

#include "codec/position.h"
#include "codec/scid/replay.h"

namespace scidfs::codec::scid {

// Return whether the bishops of the two sides stand on squares of different colors. REQUIRES: each
// side has exactly one.
bool has_opposite_bishops(const Position& position);
bool has_opposite_bishops(ReplayBoard board);

}  // namespace scidfs::codec::scid
