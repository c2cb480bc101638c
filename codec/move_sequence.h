// Moves that follow each other somewhere in a game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/bitboard.h"
#include "codec/types.h"

namespace scidfs::codec {

// What a move of either color must be. A plain value.
struct MoveStep {
  enum class Kind : std::uint8_t { Move, Castling, Null };

  Kind kind = Kind::Move;
  std::uint8_t pieces = 0;               // 1 << PieceType, of the piece that moves
  Bitboard from = ~Bitboard{0};          // the squares from which it may move
  Bitboard to = ~Bitboard{0};            // and to which; for castling the king's
  std::optional<bool> takes{};           // nothing: with a capture or without
  PieceType promotion{PieceType::None};  // None: any, or none
  bool is_followed_by_any = false;       // any moves may come before the next step, or none
};

// At most as many steps as a word has bits.
using MoveSequence = std::vector<MoveStep>;
inline constexpr std::size_t kMostSteps = 64;

}  // namespace scidfs::codec
