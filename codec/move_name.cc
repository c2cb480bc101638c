#include "codec/move_name.h"

#include <array>

#include "codec/movegen.h"

namespace scidfs::codec {
namespace {

// What a character of a name may be: a piece, a file or a rank, with its number in the low bits.
enum Sort : std::uint8_t { kNoPart = 0, kPiecePart = 0x10, kFilePart = 0x20, kRankPart = 0x40 };
constexpr std::uint8_t kPartNumber = 0x0F;

constexpr std::array<std::uint8_t, 256> kParts = [] {
  std::array<std::uint8_t, 256> parts{};
  constexpr std::string_view kPieces = "KQRBNP";  // by PieceType
  std::uint8_t type = kPiecePart;
  for (const char letter : kPieces) parts[static_cast<unsigned char>(letter)] = type++;
  for (std::uint8_t i = 0; i < 8; ++i) {
    parts['a' + i] = kFilePart | i;
    parts['1' + i] = kRankPart | i;
  }
  return parts;
}();

constexpr std::uint8_t part_of(char c) { return kParts[static_cast<unsigned char>(c)]; }

struct CastlingText {
  std::string_view text;
  MoveName::Castling castling;
};
// A text comes before its beginnings.
constexpr std::array<CastlingText, 8> kCastlingTexts = {{{"O-O-O", MoveName::Castling::Long},
                                                         {"0-0-0", MoveName::Castling::Long},
                                                         {"o-o-o", MoveName::Castling::Long},
                                                         {"OOO", MoveName::Castling::Long},
                                                         {"O-O", MoveName::Castling::Short},
                                                         {"0-0", MoveName::Castling::Short},
                                                         {"o-o", MoveName::Castling::Short},
                                                         {"OO", MoveName::Castling::Short}}};

std::optional<MoveName> parse_castling_name(std::string_view text) {
  for (const CastlingText& known : kCastlingTexts) {
    if (!text.starts_with(known.text)) continue;
    MoveName name;
    name.castling = known.castling;
    name.length = static_cast<std::uint8_t>(known.text.size());
    return name;
  }
  return std::nullopt;
}

constexpr MoveName::Sign sign_of(char c) {
  if (c == 'x' || c == ':') return MoveName::Sign::Takes;
  return c == '-' ? MoveName::Sign::Moves : MoveName::Sign::None;
}

// Takes "=Q", "/Q", "Q" or "q" after the target of a pawn.
void parse_promotion(std::string_view text, MoveName& name) {
  std::size_t at = name.length;
  if (at < text.size() && (text[at] == '=' || text[at] == '/')) ++at;
  if (at == text.size()) return;
  const char c = text[at];
  const bool is_small = c == 'q' || c == 'r' || c == 'b' || c == 'n';
  const std::uint8_t part = part_of(is_small ? static_cast<char>(c - 'a' + 'A') : c);
  const auto type = static_cast<PieceType>(part & kPartNumber);
  if ((part & kPiecePart) == 0 || type == PieceType::King || type == PieceType::Pawn) return;
  name.promotion = type;
  name.length = static_cast<std::uint8_t>(at + 1);
}

// The files and ranks of a name, and how many characters they take.
struct Coordinates {
  std::uint8_t file = 0, rank = 0;  // kFilePart and kRankPart with a number, or nothing
  std::size_t end = 0;
};

Coordinates take_coordinates(std::string_view text, std::size_t at) {
  Coordinates found{.end = at};
  if (found.end < text.size() && (part_of(text[found.end]) & kFilePart) != 0) {
    found.file = part_of(text[found.end++]);
  }
  if (found.end < text.size() && (part_of(text[found.end]) & kRankPart) != 0) {
    found.rank = part_of(text[found.end++]);
  }
  return found;
}

void restrict_origin(const Coordinates& origin, MoveName& name) {
  if (origin.file != 0) name.from &= file_mask(origin.file & kPartNumber);
  if (origin.rank != 0) name.from &= rank_mask(origin.rank & kPartNumber);
}

}  // namespace

std::optional<MoveName> parse_move_name(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::uint8_t first = part_of(text[0]);
  if (first == kNoPart) return parse_castling_name(text);
  MoveName name;
  std::size_t at = 0;
  if ((first & kPiecePart) != 0) {
    name.piece = static_cast<PieceType>(first & kPartNumber);
    at = 1;
  }
  Coordinates target = take_coordinates(text, at);
  MoveName::Sign sign = target.end < text.size() ? sign_of(text[target.end]) : MoveName::Sign::None;
  const Coordinates second =
      take_coordinates(text, target.end + (sign != MoveName::Sign::None ? 1 : 0));
  if (second.file != 0 && second.rank != 0) {
    // A pawn's origin has its file; a rank alone, or a sign alone, names none.
    if (name.piece == PieceType::None && target.file == 0) return std::nullopt;
    restrict_origin(target, name);
    if (name.piece == PieceType::None && target.rank == 0) name.piece = PieceType::Pawn;
    name.sign = sign;
    target = second;
  } else if (target.file == 0 || target.rank == 0) {
    return std::nullopt;
  } else if (name.piece == PieceType::None) {
    // Without another file a pawn moves straight.
    name.piece = PieceType::Pawn;
    name.from = file_mask(target.file & kPartNumber);
  }
  name.to = make_square(target.file & kPartNumber, target.rank & kPartNumber);
  name.length = static_cast<std::uint8_t>(target.end);
  if (name.length < text.size() &&
      (name.piece == PieceType::Pawn || name.piece == PieceType::None)) {
    parse_promotion(text, name);
  }
  return name;
}

namespace internal {

bool takes_en_passant(const Position& position, Square to) {
  if (position.en_passant() != to || !position.piece_at(to).empty()) return false;
  const Color us = position.side_to_move();
  return position.piece_at(en_passant_victim(to, us)) == Piece{PieceType::Pawn, ~us};
}

Bitboard free_origins(const Position& position, Bitboard origins, Square to) {
  Bitboard found = 0;
  for (; origins != 0; origins &= origins - 1) {
    const Square from = first_square(origins);
    if ((between(from, to) & position.occupied()) == 0) found |= bit(from);
  }
  return found;
}

}  // namespace internal

std::optional<Move> named_castling(const Position& position, const MoveName& name) {
  using Castling = MoveName::Castling;
  if (name.castling != Castling::No) {
    return legal_castling(position, name.castling == Castling::Short);
  }
  const Color us = position.side_to_move();
  if (name.piece != PieceType::None || name.promotion != PieceType::None ||
      name.sign == MoveName::Sign::Takes || first_square(name.from) != position.king(us)) {
    return std::nullopt;
  }
  for (const bool is_short : {true, false}) {
    if (name.to == castling_target(us, is_short) ||
        name.to == position.castling_homes().rook(us, is_short)) {
      if (std::optional<Move> castling = legal_castling(position, is_short)) return castling;
    }
  }
  return std::nullopt;
}

}  // namespace scidfs::codec
