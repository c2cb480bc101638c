// The files of a directory that stands for a position.
#pragma once

#include <string>
#include <string_view>

#include "codec/position.h"
#include "fs/positions/move_table.h"
#include "fs/reference/opening_names.h"

namespace scidfs::fs {

// What is known of the openings of a position.
struct NamedPosition {
  const OpeningNames* names = nullptr;  // null: nothing
  std::string_view opening{};           // where it stands: its own, or that of the last before it
};

// moves.txt, for people: `title`, the opening, then a line for each move with its games, their
// share as a bar, White's score, average rating and performance of the side to move, and the last
// year; then those of all games; then the openings that moves lead to. At most 80 columns wide.
std::string moves_text(const codec::Position& position, std::string_view title,
                       const MoveTable& table, const NamedPosition& named = {});

// moves.tsv:
//   san uci games white_wins draws black_wins unknown score average_elo last_year first_year
// Scores are White's, ratings those of the side to move; what is not known is an empty field.
std::string moves_tsv(const MoveTable& table);

// board.txt: a diagram with Unicode pieces, the FEN, the ECO codes of the games, and the opening.
std::string board_text(const codec::Position& position, const MoveTable& table,
                       const NamedPosition& named = {});

}  // namespace scidfs::fs
