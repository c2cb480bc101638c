// A position that somebody looks for, by its name.
#pragma once

#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <string_view>

#include "codec/position.h"

namespace scidfs::codec {

// A value.
struct TargetPosition {
  Position position;
  // Whether castling rights and en passant count, too. En passant only where a pawn can take so:
  // not that a pawn has just moved two squares.
  bool with_rights = false;

  // Whether a position is the one that is looked for. Counters never count.
  bool is_met_by(const Position& other) const;

  // The move that a text names here (parse_san()). Where rights do not count, any castling and any
  // taking en passant that the board allows is a move.
  std::optional<Move> parse_move(std::string_view text) const;
  // What is looked for after a move.
  TargetPosition after(const Move& move) const;
};

// The FEN that a name stands for: `_` is a blank, and `-` a slash of the board.
std::string fen_of_name(std::string_view name);

// The goal that the name of a directory means, a FEN. Two fields: board and side to move count;
// four to six: castling rights and en passant too. InvalidArgument with the reason if it is no FEN,
// or has another number of fields.
absl::StatusOr<TargetPosition> parse_position_name(std::string_view name);

// The shortest name that means the same; one for all that mean the same.
std::string position_name(const TargetPosition& target);

}  // namespace scidfs::codec
