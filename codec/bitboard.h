// Sets of squares as 64-bit numbers (bit n = square n) and the attack tables of the pieces.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstdint>

#include "codec/types.h"

namespace scidfs::codec {

using Bitboard = std::uint64_t;

constexpr Bitboard bit(Square square) { return Bitboard{1} << square; }
// Returns the lowest square. REQUIRES: the set is not empty, so that no test is needed.
constexpr Square first_square(Bitboard set) {
  assert(set != 0);
  return static_cast<Square>(__builtin_ctzll(set));
}
constexpr bool several(Bitboard set) { return (set & (set - 1)) != 0; }

inline constexpr Bitboard kFileA = 0x0101010101010101;
inline constexpr Bitboard kRank1 = 0xFF;
constexpr Bitboard file_mask(int file) { return kFileA << file; }
constexpr Bitboard rank_mask(int rank) { return kRank1 << (8 * rank); }

// Return the set if the piece is a pawn, or if it is a piece at all; else none. Which piece moves
// or is taken is hard to predict, so that no branch asks for it.
inline constexpr std::array<Bitboard, kPieceTypes + 1> kIfPawn = {0, 0, 0, 0, 0, ~Bitboard{0}, 0};
inline constexpr std::array<Bitboard, kPieceTypes + 1> kIfNone = {0, 0, 0, 0, 0, 0, ~Bitboard{0}};
inline Bitboard of_pawns(PieceType type, Bitboard set) {
  return kIfPawn[static_cast<std::size_t>(type)] & set;
}
inline Bitboard of_pieces(PieceType type, Bitboard set) {
  return ~kIfNone[static_cast<std::size_t>(type)] & set;
}

// Tables over squares, computed by the compiler.
struct AttackTables {
  // The squares that a piece attacks on an empty board, by PieceType; none for pawns and None.
  std::array<std::array<Bitboard, 64>, 7> pseudo;
  // The squares that a pawn attacks, by color.
  std::array<std::array<Bitboard, 64>, 2> pawn;
  // The squares from which a piece comes to a square on an empty board, by color and PieceType: of
  // a pawn by one step, two steps, or a capture.
  std::array<std::array<std::array<Bitboard, 64>, 7>, 2> origins;
  // Rays from a square: N, E, NE, NW (towards h8), then S, W, SW, SE (towards a1).
  std::array<std::array<Bitboard, 64>, 8> ray;
};
extern const AttackTables kAttacks;

// The squares strictly between two squares of one rank, file or diagonal; else none.
using BetweenTable = std::array<std::array<Bitboard, 64>, 64>;
extern const BetweenTable kBetween;

// Two sets that are processed at once.
using BitboardPair [[gnu::vector_size(16)]] = Bitboard;

// The masks that tell without a branch whether a square is attacked: see seen().
struct alignas(128) Approach {
  BitboardPair diagonals;      // the two diagonals through the square
  BitboardPair file_and_rank;  // its file and its rank
  // The next higher square, on the board and on the board upside down.
  BitboardPair next;
  BitboardPair next_flipped;
  BitboardPair next_flipped_file;  // the same for file_and_rank: nothing for the rank
  Bitboard west;                   // the squares of its rank west of it
  // The squares from which a piece attacks it.
  Bitboard knights;
  Bitboard kings;
  std::array<Bitboard, 2> pawns;  // by the color of the pawns
};
extern const std::array<Approach, 64> kApproaches;

inline Bitboard between(Square a, Square b) { return kBetween[a][b]; }
inline Bitboard pawn_attacks(Color color, Square square) {
  return kAttacks.pawn[static_cast<std::size_t>(color)][square];
}
inline Bitboard pseudo_origins(Color color, PieceType type, Square to) {
  return kAttacks.origins[static_cast<std::size_t>(color)][static_cast<std::size_t>(type)][to];
}
inline Bitboard pseudo_attacks(PieceType type, Square square) {
  return kAttacks.pseudo[static_cast<std::size_t>(type)][square];
}

namespace internal {

inline BitboardPair upside_down(BitboardPair pair) {
  using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
  const auto bytes = reinterpret_cast<Bytes>(pair);
  return reinterpret_cast<BitboardPair>(
      __builtin_shufflevector(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
}

// Returns the squares seen from a square along two lines. Subtracting the next higher square from
// the pieces on a line changes all bits up to the first piece above the square; on the board upside
// down this gives the other direction. A rank does not turn with the board: only its east is seen.
inline BitboardPair seen(BitboardPair lines, BitboardPair occupied, BitboardPair next,
                         BitboardPair next_flipped) {
  const BitboardPair on_lines = lines & occupied;
  return ((on_lines - next) ^ upside_down(upside_down(on_lines) - next_flipped)) & lines;
}

// Return a ray up to and including its first blocker. Rays 0..3 go towards h8, 4..7 towards a1.
inline Bitboard forward_ray(unsigned ray, Square square, Bitboard occupied) {
  const Bitboard line = kAttacks.ray[ray][square];
  const Bitboard blockers = (line & occupied) | bit(63);
  return line ^ kAttacks.ray[ray][first_square(blockers)];
}
inline Bitboard backward_ray(unsigned ray, Square square, Bitboard occupied) {
  const Bitboard line = kAttacks.ray[ray][square];
  const Bitboard blockers = (line & occupied) | bit(0);
  return line ^ kAttacks.ray[ray][63 - std::countl_zero(blockers)];
}

}  // namespace internal

inline Bitboard rook_attacks(Square square, Bitboard occupied) {
  return internal::forward_ray(0, square, occupied) | internal::forward_ray(1, square, occupied) |
         internal::backward_ray(4, square, occupied) | internal::backward_ray(5, square, occupied);
}
inline Bitboard bishop_attacks(Square square, Bitboard occupied) {
  return internal::forward_ray(2, square, occupied) | internal::forward_ray(3, square, occupied) |
         internal::backward_ray(6, square, occupied) | internal::backward_ray(7, square, occupied);
}

// Returns the squares that a piece other than a pawn attacks, given the occupied squares.
inline Bitboard attacks(PieceType type, Square square, Bitboard occupied) {
  switch (type) {
    case PieceType::Rook:
      return rook_attacks(square, occupied);
    case PieceType::Bishop:
      return bishop_attacks(square, occupied);
    case PieceType::Queen:
      return rook_attacks(square, occupied) | bishop_attacks(square, occupied);
    default:
      return pseudo_attacks(type, square);
  }
}

}  // namespace scidfs::codec
