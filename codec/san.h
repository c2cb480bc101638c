// Moves in Standard Algebraic Notation.
//
// The templates are the hot path of the whole program: each ply shown calls each of them once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/bytes.h"
#include "codec/position.h"

namespace scidfs::codec {

// The length of the longest moves, such as "Qa1xb2#" and "exd8=Q+".
inline constexpr std::size_t kMaxSanLength = 7;

// Up to seven characters in one machine word, copied by one store; the length is in the top byte.
class ShortText {
 public:
  constexpr ShortText() = default;
  constexpr ShortText(std::string_view text) {  // NOLINT(google-explicit-constructor)
    for (const char c : text) append(c);
  }

  constexpr std::size_t size() const { return static_cast<std::size_t>(word_ >> 56); }
  constexpr void append(char c) {
    word_ |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << (8 * size());
    word_ += std::uint64_t{1} << 56;
  }
  // Returns the text with the file of a square added to the letter after the blank if `mask` is
  // kFileMask; if it is 0 the text stays as it is.
  static constexpr std::uint16_t kFileMask = 0x700;
  constexpr ShortText with_file(Square square, std::uint16_t mask) const {
    ShortText text = *this;
    text.word_ += (static_cast<std::uint64_t>(square) << 8) & mask;
    return text;
  }
  // Writes the text and touches kRoom bytes. Returns the end of the text.
  static constexpr std::size_t kRoom = 8;
  char* write(char* out) const {
    store_little_word(word_, out);
    return out + size();
  }

 private:
  std::uint64_t word_ = 0;
};

namespace internal {

// SAN without disambiguation and suffix, by place_of() the piece after the move: to an empty
// square, and as a capture (of a pawn: from the a-file).
using SanTable = std::array<std::array<ShortText, 2>, kPlaces>;
extern const SanTable kSan;

// Masks for with_file(), by piece type and the same two cases.
inline constexpr std::array<std::array<std::uint16_t, 2>, kPieceTypes> kFileMasks = {
    {{}, {}, {}, {}, {}, {0, ShortText::kFileMask}}};

// Returns SAN without disambiguation. Without a branch: captures are hard to predict.
inline ShortText plain_san(PieceType piece, Square from, Square to, bool capture) {
  const std::size_t column = capture ? 1 : 0;
  const std::uint16_t mask = kFileMasks[static_cast<std::size_t>(piece)][column];
  return kSan[place_of(piece, to)][column].with_file(from, mask);
}

// Returns the SAN of a move of a piece (not pawn, not king) that `others` of the same type could
// also make, if there were no pins and no pieces in between.
ShortText ambiguous_san(const Position& after, PieceType piece, Square from, Square to,
                        bool capture, Bitboard others);
// Returns the SAN of castling, promotions and null moves.
ShortText special_san(Move move);

}  // namespace internal

// Returns the SAN of `move`, which led to `after`, with a blank before it and without `+` or `#`.
// Disambiguates by the pieces that could have reached the target legally: file if that is enough,
// else rank, else both (scid/FORMAT.md, section 7). A null move is "--".
template <Color kUs>
[[gnu::always_inline]] inline ShortText find_san(const Position& after, const Move& move) {
  if (move.promotion != PieceType::None || move.kind == MoveKind::Castling ||
      move.kind == MoveKind::Null) [[unlikely]] {
    return internal::special_san(move);
  }
  const bool capture = move.captured != PieceType::None;
  const Bitboard others = after.pieces(kUs, move.piece) & pseudo_attacks(move.piece, move.to);
  if (others != 0) [[unlikely]]
    return internal::ambiguous_san(after, move.piece, move.from, move.to, capture, others);
  return internal::plain_san(move.piece, move.from, move.to, capture);
}

// Returns the full SAN of a move that fits the position, with `+` or `#`.
std::string to_san(const Position& before, const Move& move);

// Returns the legal move that a text names, in SAN or another usual form (move_name.h); "--" and
// "0000" name a null move. A sign of a capture must be right. Ignores check marks and annotation
// glyphs at the end. Returns nothing if there is no such move or more than one.
std::optional<Move> parse_san(const Position& position, std::string_view san);
// Returns all legal moves that a text may name: none if it is the name of a move, and no such move
// is legal; several if it is ambiguous. Returns nothing if it is no name of a move.
std::optional<std::vector<Move>> named_moves(const Position& position, std::string_view san);

}  // namespace scidfs::codec
