// The 22-byte key under which a Kvetka book keeps a position.
// Source: FORMAT.md, section 4.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec::kvetka {

inline constexpr std::size_t kKeySize = 22;

// Compared bytewise, as the elements of a book are sorted.
using Key = std::array<std::uint8_t, kKeySize>;

// A reflection of the board after which its mover is White and, if neither side may castle, the
// mover's king is on the right. The same Turning leads back: each reflection undoes itself.
struct Turning {
  bool flipped = false;   // a1 <-> a8, and the colors are swapped
  bool mirrored = false;  // a1 <-> h1

  constexpr Square apply(Square square) const {
    return static_cast<Square>(square ^ (flipped ? 56U : 0U) ^ (mirrored ? 7U : 0U));
  }
  constexpr Color apply(Color color) const { return flipped ? ~color : color; }
  // Returns a move of the turned board on the original board, or the other way round.
  constexpr Move apply(Move move) const {
    move.from = apply(move.from);
    move.to = apply(move.to);
    return move;
  }
  friend constexpr bool operator==(Turning, Turning) = default;
};

// Returns the Turning that normalizes a position (section 4.1).
Turning turning_of(const Position& position);

// Returns the key of any position. Returns nothing if no book can have the position: its code is
// longer than the key, or a side may still castle from other squares than those of chess
// (Chess960), which a key does not tell.
std::optional<Key> key_of(const Position& position);
std::optional<Key> key_of(const Position& position, Turning turning);

// Returns the normalized position with this key: White moves. Returns nothing if the bytes are no
// key, or describe a board that no Position can hold.
std::optional<Position> position_of(const Key& key);

// Returns the FEN without its counters.
std::string short_fen(const Position& position);

// Returns 44 hexadecimal digits.
std::string key_to_hex(const Key& key);

}  // namespace scidfs::codec::kvetka
