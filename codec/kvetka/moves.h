// The moves of a position as a Kvetka book stores them: one byte each, on the normalized board.
// Source: FORMAT.md, section 5.
#pragma once

#include <cstdint>
#include <optional>

#include "codec/kvetka/key.h"
#include "codec/movegen.h"
#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec::kvetka {

// Returns the code of a move in `position`, which need not be normalized. Never uses a redundant
// code. Returns nothing for a move without a code: under-promotions, null moves, moves of a third
// rook, bishop or knight or a fourth queen. REQUIRES: the move fits the board.
std::optional<std::uint8_t> encode_move(const Position& position, Turning turning,
                                        const Move& move);

// A decoder for the codes of one position.
class MoveDecoder {
 public:
  // REQUIRES: White moves; the position is normalized and outlives the decoder.
  explicit MoveDecoder(const Position& normalised);

  // Returns the legal move with this code; nothing if there is none.
  std::optional<Move> decode(std::uint8_t code) const;

 private:
  const Position& position_;
  MoveList legal_;
};

}  // namespace scidfs::codec::kvetka
