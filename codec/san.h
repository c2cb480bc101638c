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
  // A pawn's captures have eight rows, by the file it comes from; `file_mask` is 7 for them, else
  // 0.
  struct Row {
    std::uint8_t first;
    std::uint8_t file_mask;
  };
  static constexpr std::size_t kRows = 2 * kPieceTypes - 1 + 8;

  constexpr std::size_t row(PieceType piece, bool capture, Square from) const {
    const Row& row = rows[static_cast<std::size_t>(piece)][capture ? 1 : 0];
    return row.first + (static_cast<std::size_t>(file_of(from)) & row.file_mask);
  }
  std::array<std::array<Row, 2>, kPieceTypes> rows;
  std::array<std::array<ShortText, 64>, kRows> text;
};
extern const SanTable kSan;

// SAN of a move of a piece (not pawn, not king) that `others` of the same type could also make,
// were it not for pieces in between and pins.
char* write_ambiguous_san(const Position& before, PieceType piece, Square from, Square to,
                          bool capture, Bitboard others, char* out);
// SAN of castling, promotions and null moves.
char* write_special_san(Move move, char* out);

// The pieces of `by` that might attack `king` through the square `opened`, which has become empty:
// few moves have any.
inline Bitboard behind(const Position& after, Color by, Square king, Square opened) {
  const Bitboard sliders = after.pieces(PieceType::Queen) | after.pieces(PieceType::Rook) |
                           after.pieces(PieceType::Bishop);
  return beyond(king, opened) & sliders & after.pieces(by);
}
// Whether one of `candidates`, which behind() named, does.
bool discovered(const Position& after, Bitboard candidates, Square king);

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
    return internal::write_ambiguous_san(before, move.piece, move.from, move.to,
                                         move.captured != PieceType::None, others, out);
  }
  const bool capture = move.captured != PieceType::None;
  return internal::kSan.text[internal::kSan.row(move.piece, capture, move.from)][move.to].write(
      out);
}

// What a move does to the kings.
struct Checks {
  bool check : 1 = false;    // the side to move stands in check
  bool exposed : 1 = false;  // the side that moved left its king attacked: an illegal move
};

// Finds out about `move`, which led to `after`. `before` is what the move before it did. Looks at
// the moved piece and the line it left only, unless the last move was illegal, a king was in check
// or has moved, or the move was a special one. What is left of branches here is seldom taken: this
// runs for every ply, and a wrong guess of the processor costs more than the whole look.
template <Color kUs>
[[gnu::always_inline]] inline Checks checks_after(const Position& after, const Move& move,
                                                  Checks before) {
  Checks checks;
  const Square theirs = after.king(~kUs);
  const Square ours = after.king(kUs);
  const Bitboard reach =
      kAttacks.moved[static_cast<std::size_t>(kUs)][static_cast<std::size_t>(move.piece)][move.to];
  const bool aims = (reach >> theirs & 1) != 0;
  const bool blocked = (between(move.to, theirs) & after.occupied()) != 0;
  checks.check = aims & !blocked;
  const Bitboard to_theirs = internal::behind(after, kUs, theirs, move.from);
  const Bitboard to_ours = internal::behind(after, ~kUs, ours, move.from);
  if ((to_theirs | to_ours) != 0) [[unlikely]] {
    checks.check |= internal::discovered(after, to_theirs, theirs);
    checks.exposed = internal::discovered(after, to_ours, ours);
  }
  const bool special = move.promotion != PieceType::None || move.kind >= MoveKind::EnPassant;
  if (before.check || before.exposed || special || move.piece == PieceType::King) [[unlikely]] {
    checks.exposed = after.in_check(kUs);
    if (before.exposed || special) checks.check = after.in_check(~kUs);
  }
  return checks;
}

// The full SAN of a move that fits the position, with `+` or `#`.
std::string to_san(const Position& before, const Move& move);

// The legal move that `san` names ("Nf3", "exd5", "O-O+", "e8=Q#", "--"); check marks and
// annotation glyphs at its end are ignored. Nothing if there is no such move or more than one.
std::optional<Move> parse_san(const Position& position, std::string_view san);

}  // namespace scidfs::codec
