// A position to search for, and its name.
#pragma once

#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <string_view>

#include "codec/position.h"

namespace scidfs::codec {

// Returns `passed`, the square behind a pawn that has just moved two squares on this board, if the
// side to move can take there; else, and for kNoSquare, kNoSquare.
Square takeable_en_passant(const Position& position, Square passed);

// The position that a search looks for. A plain value.
struct TargetPosition {
  Position position;
  // Whether castling rights and en passant count, too. En passant counts only where a pawn can take
  // so: it is not enough that a pawn has just moved two squares.
  bool with_rights = false;

  // Returns whether a position is the target. Counters never count.
  bool is_met_by(const Position& other) const;

  // Returns the move that a text names here (parse_san()). If rights do not count, any castling and
  // any en passant capture that the board allows is a move.
  std::optional<Move> parse_move(std::string_view text) const;
  // Returns the target after a move.
  TargetPosition after(const Move& move) const;
};

// Returns the FEN that a name means: `_` is a blank, and `-` a slash of the board.
std::string fen_of_name(std::string_view name);

// Parses the name of a directory, a FEN, as a target position. With two fields, board and side to
// move count; with four to six, also castling rights and en passant. InvalidArgument with the
// reason if it is no FEN, or has another number of fields.
absl::StatusOr<TargetPosition> parse_position_name(std::string_view name);

// Returns the shortest name that means the same: equal targets have one name.
std::string position_name(const TargetPosition& target);

}  // namespace scidfs::codec
