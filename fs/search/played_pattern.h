// Moves that follow each other anywhere in a game: `Bxh7,Kxh7,Ng5`.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

#include "codec/move_sequence.h"

namespace scidfs::fs {

// A sequence of moves of either color. A value.
class PlayedPattern {
 public:
  // Parses moves in SAN with commas between them, without regard to check marks. A move that names
  // no square of departure fits moves from all; `xh7` is any capture there; `--` is a null move;
  // `..` between two moves stands for any moves, or none. Returns InvalidArgument, with a one-line
  // reason for users, for other texts.
  static absl::StatusOr<PlayedPattern> parse(std::string_view text);

  // Returns one text for all spellings of a sequence.
  const std::string& text() const { return text_; }
  const codec::MoveSequence& moves() const { return moves_; }

 private:
  codec::MoveSequence moves_;
  std::string text_;
};

}  // namespace scidfs::fs
