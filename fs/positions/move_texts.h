// The files of the directory of a position.
#pragma once

#include <string>
#include <string_view>

#include "codec/position.h"
#include "fs/positions/move_table.h"
#include "fs/reference/opening_names.h"

namespace scidfs::fs {

// The known openings of a position.
struct NamedPosition {
  const OpeningNames* names = nullptr;  // null: nothing
  std::string_view opening{};           // that of the position, or of the last position before it

  // Returns the opening of a position; kNoOpening if none is known.
  OpeningNumber find(const codec::Position& position) const {
    return names == nullptr ? kNoOpening : names->find(position);
  }
};

// Returns moves.txt, for users to read: `title`, the opening, then a line for each move with its
// games, their share as a bar, White's score, average Elo rating and performance of the side to
// move, and the last year; then the same for all games; then the openings that moves lead to. At
// most 80 columns wide.
std::string moves_text(const codec::Position& position, std::string_view title,
                       const MoveTable& table, const NamedPosition& named = {});

// Returns moves.tsv:
//   san uci games white_wins draws black_wins unknown score average_elo last_year first_year
// Scores are White's, ratings the Elo ratings of the side to move.
std::string moves_tsv(const codec::Position& position, const MoveTable& table);

// Returns board.txt: a diagram with Unicode pieces, the FEN, the games' ECO codes, and the opening.
std::string board_text(const codec::Position& position, const MoveTable& table,
                       const NamedPosition& named = {});

}  // namespace scidfs::fs
