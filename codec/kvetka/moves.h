// The moves of a position as a Kvetka book stores them: one byte each, told on the normalised
// board.
// Source: FORMAT.md, section 5.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/kvetka/key.h"
#include "codec/movegen.h"
#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec::kvetka {

// The code of a move in `position`, whatever its turning is. Never a redundant spelling. Nothing
// for a move that no code tells: under-promotions, null moves, moves of a third rook, bishop or
// knight or a fourth queen. REQUIRES: the move fits the board.
std::optional<std::uint8_t> encode_move(const Position& position, Turning turning,
                                        const Move& move);

// What the codes of one position stand for.
class MoveDecoder {
 public:
  // REQUIRES: White moves; of the position as it is normalised.
  explicit MoveDecoder(const Position& normalised);

  // The legal move with this code; nothing if there is none.
  std::optional<Move> decode(std::uint8_t code) const;

 private:
  const Position& position_;
  MoveList legal_;
};

}  // namespace scidfs::codec::kvetka
