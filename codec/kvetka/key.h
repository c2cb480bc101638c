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

// How a board is turned so that its mover is White and, where nobody may castle any more, the
// mover's king stands on the right. Leads there and back: each reflection undoes itself.
struct Turning {
  bool flipped = false;   // a1 <-> a8, and the colours are swapped
  bool mirrored = false;  // a1 <-> h1

  constexpr Square apply(Square square) const {
    return static_cast<Square>(square ^ (flipped ? 56U : 0U) ^ (mirrored ? 7U : 0U));
  }
  constexpr Color apply(Color color) const { return flipped ? ~color : color; }
  // A move of the turned board on the board as it was, or the other way round.
  constexpr Move apply(Move move) const {
    move.from = apply(move.from);
    move.to = apply(move.to);
    return move;
  }
  friend constexpr bool operator==(Turning, Turning) = default;
};

// What normalises a position (section 4.1).
Turning turning_of(const Position& position);

// The key of any position. Nothing if no book can have the position: its code is longer than the
// key, or somebody may still castle from other squares than those of chess (Chess960), which a key
// does not tell.
std::optional<Key> key_of(const Position& position);
std::optional<Key> key_of(const Position& position, Turning turning);

// The normalised position with this key: White moves. Nothing if the bytes are no key, or those of
// a board that no Position can hold.
std::optional<Position> position_of(const Key& key);

// The FEN without its counters.
std::string short_fen(const Position& position);

// 44 hexadecimal digits.
std::string key_to_hex(const Key& key);

}  // namespace scidfs::codec::kvetka
