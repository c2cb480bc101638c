// What searches for a balance of material, bishops, castling and mate must find in a game.
#pragma once

#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::fuzz {

// Compares the seekers with the positions and moves of the main line that the walk shows.
// `is_whole`: the walk has read the record to its end. REQUIRES: at least one position, one more
// than there are moves.
void check_course(codec::Bytes record, codec::CastlingRule rule,
                  const std::vector<codec::Position>& positions,
                  const std::vector<codec::Move>& moves, bool is_whole);

}  // namespace scidfs::fuzz
