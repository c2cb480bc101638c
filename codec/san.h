// Moves in Standard Algebraic Notation.
//
// The templates are the hot path of the whole program: one call of each for every ply shown.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "codec/position.h"

namespace scidfs::codec {

// "Qa1xb2#" and "exd8=Q+" are as long as it gets.
inline constexpr std::size_t kMaxSanLength = 7;
// write_san() may touch this many bytes, whatever it returns.
inline constexpr std::size_t kSanRoom = 16;

namespace internal {

// Up to seven characters in one machine word: copied by one store, the length in the top byte.
struct ShortText {
  std::uint64_t word = 0;

  constexpr void append(char c) {
    const std::uint64_t length = word >> 56;
    word |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << (8 * length);
    word += std::uint64_t{1} << 56;
  }
  char* write(char* out) const {
    std::memcpy(out, &word, sizeof word);
    return out + (word >> 56);
  }
};

// SAN without disambiguation and suffix, by row and target square.
struct SanTable {
  static constexpr std::size_t kPawnCaptures = 12;  // + file the pawn comes from
  static constexpr std::size_t row(PieceType piece, bool capture, Square from) {
    const std::size_t plain = static_cast<std::size_t>(piece) * 2 + (capture ? 1 : 0);
    return plain +
           (piece == PieceType::Pawn && capture ? 1 + static_cast<std::size_t>(file_of(from)) : 0);
  }
  std::array<std::array<ShortText, 64>, kPawnCaptures + 8> text;
};
extern const SanTable kSan;

// SAN of a move of a piece (not pawn, not king) that `others` of the same type could also make,
// were it not for pieces in between and pins.
char* write_ambiguous_san(const Position& before, Move move, Bitboard others, char* out);
// SAN of castling, promotions and null moves.
char* write_special_san(Move move, char* out);

// Whether a slider of `by` attacks `king` through the square `opened` that has become empty.
inline bool discovered(const Position& after, Color by, Square king, Square opened) {
  if ((pseudo_attacks(PieceType::Queen, opened) & bit(king)) == 0) return false;
  const bool straight = (pseudo_attacks(PieceType::Rook, opened) & bit(king)) != 0;
  Bitboard sliders = straight
                         ? after.rooks_and_queens(by) & pseudo_attacks(PieceType::Rook, king)
                         : after.bishops_and_queens(by) & pseudo_attacks(PieceType::Bishop, king);
  for (; sliders != 0; sliders &= sliders - 1) {
    const Bitboard path = between(first_square(sliders), king);
    if ((path & bit(opened)) != 0 && (path & after.occupied()) == 0) return true;
  }
  return false;
}

}  // namespace internal

// Writes the SAN of `move`, which fits `before`, without `+` or `#`. Disambiguates by the pieces
// that can reach the target legally: file if that is enough, else rank, else both (specification
// scid4, section 7). A null move is "--". `out` has room for kSanRoom bytes. Returns the end.
template <Color kUs>
[[gnu::always_inline]] inline char* write_san(const Position& before, const Move& move, char* out) {
  if (move.promotion != PieceType::None || move.kind == MoveKind::Castling ||
      move.kind == MoveKind::Null) [[unlikely]] {
    return internal::write_special_san(move, out);
  }
  const Bitboard others =
      before.pieces(kUs, move.piece) & pseudo_attacks(move.piece, move.to) & ~bit(move.from);
  if (others != 0) [[unlikely]] {
    return internal::write_ambiguous_san(before, move, others, out);
  }
  const bool capture = move.captured != PieceType::None;
  return internal::kSan.text[internal::SanTable::row(move.piece, capture, move.from)][move.to]
      .write(out);
}

// Whether `move`, which led to `after`, gives check, if the king was not attacked before it.
template <Color kUs>
[[gnu::always_inline]] inline bool gives_check(const Position& after, const Move& move) {
  if (move.promotion != PieceType::None || move.kind >= MoveKind::EnPassant) [[unlikely]] {
    return after.in_check(~kUs);
  }
  const Square king = after.king(~kUs);
  const Bitboard reach =
      kAttacks.moved[static_cast<std::size_t>(kUs)][static_cast<std::size_t>(move.piece)][move.to];
  if ((reach & bit(king)) != 0 && (between(move.to, king) & after.occupied()) == 0) return true;
  return internal::discovered(after, kUs, king, move.from);
}

// Whether `move`, which led to `after`, left the mover's own king attacked (so it was illegal).
// `was_in_check`: the mover's king stood in check before it.
template <Color kUs>
[[gnu::always_inline]] inline bool exposes_king(const Position& after, const Move& move,
                                                bool was_in_check) {
  if (was_in_check || move.piece == PieceType::King || move.kind == MoveKind::EnPassant) {
    return after.in_check(kUs);
  }
  return internal::discovered(after, ~kUs, after.king(kUs), move.from);
}

// The full SAN of a move that fits the position, with `+` or `#`.
std::string to_san(const Position& before, const Move& move);

// The legal move that `san` names ("Nf3", "exd5", "O-O+", "e8=Q#", "--"); check marks and
// annotation glyphs at its end are ignored. Nothing if there is no such move or more than one.
std::optional<Move> parse_san(const Position& position, std::string_view san);

}  // namespace scidfs::codec
