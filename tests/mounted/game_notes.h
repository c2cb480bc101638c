// What a game's PGN tells besides its moves: evaluations and clocks after moves, NAGs, tags.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/pgn_parse.h"

namespace scidfs::tests {

// In the comments after a move of the main line, or before the first.
struct MoveNotes {
  std::optional<long> eval;     // hundredths of a pawn, as White sees it; a mate is 100 pawns
  std::optional<double> clock;  // seconds
};

struct GameNotes {
  std::vector<MoveNotes> moves{1};  // after so many moves
  std::set<unsigned> nags;          // of any line
  std::vector<PgnTag> tags;         // without escapes
  bool is_damaged = false;          // anywhere, by a comment at the end
};

GameNotes notes_of(const PgnGame& game);

}  // namespace scidfs::tests
