// Positions for queries: from the games of a set, and some that probably no game has.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tests/mounted/played_positions.h"
#include "tests/support/random_game.h"

namespace scidfs::tests {

// FENs of two fields, or of four to six. Fewer than `count` only if no game has a position.
std::vector<std::string> positions_at_random(const PlayedSet& set, std::size_t count,
                                             Random& random);

}  // namespace scidfs::tests
