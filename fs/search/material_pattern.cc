#include "fs/search/material_pattern.h"

#include <algorithm>

namespace scidfs::fs {
namespace {

constexpr std::string_view kPieceLetters = "QRBNP";
constexpr std::size_t kPawn = 4;
constexpr unsigned kMostPieces = 3;
constexpr unsigned kMostPawns = 8;

// The position of each piece's count in the 12 bits of a side.
constexpr std::array<unsigned, 5> kShifts = {10, 8, 6, 4, 0};
constexpr unsigned kSideBits = 12;

constexpr char to_capital(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace

std::optional<MaterialPattern::Side> MaterialPattern::parse_side(std::string_view text) {
  if (text.empty() || to_capital(text[0]) != 'K') return std::nullopt;
  Side side;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const std::size_t piece = kPieceLetters.find(to_capital(text[i]));
    if (piece == std::string_view::npos) return std::nullopt;
    Count& count = side[piece];
    if (++count.least > (piece == kPawn ? kMostPawns : kMostPieces)) return std::nullopt;
    if (i + 1 < text.size() && text[i + 1] == '+') {
      count.or_more = true;
      ++i;
    }
  }
  for (std::size_t piece = 0; piece < kPawn; ++piece) {
    side[piece].or_more |= side[piece].least == kMostPieces;
  }
  return side;
}

std::optional<MaterialPattern> MaterialPattern::parse(std::string_view text) {
  const std::size_t between = text.find_first_of("vV");
  if (between == std::string_view::npos) return std::nullopt;
  const std::optional<Side> one = parse_side(text.substr(0, between));
  const std::optional<Side> other = parse_side(text.substr(between + 1));
  if (!one.has_value() || !other.has_value()) return std::nullopt;
  MaterialPattern pattern;
  pattern.sides_ = {*one, *other};
  if (side_text(*one) < side_text(*other)) std::swap(pattern.sides_[0], pattern.sides_[1]);
  return pattern;
}

std::string MaterialPattern::side_text(const Side& side) {
  std::string text = "K";
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    text.append(side[piece].least, kPieceLetters[piece]);
    const bool is_plain = piece != kPawn && side[piece].least == kMostPieces;
    if (side[piece].or_more && !is_plain) text += '+';
  }
  return text;
}

std::string MaterialPattern::text() const {
  return side_text(sides_[0]) + "v" + side_text(sides_[1]);
}

bool MaterialPattern::has(const Side& side, std::uint32_t material) {
  for (std::size_t piece = 0; piece < kPieces; ++piece) {
    const unsigned count = material >> kShifts[piece] & (piece == kPawn ? 15 : 3);
    if (side[piece].or_more ? count < side[piece].least : count != side[piece].least) return false;
  }
  return true;
}

codec::MaterialTarget MaterialPattern::target() const {
  codec::MaterialTarget target;
  for (std::size_t side = 0; side < sides_.size(); ++side) {
    for (std::size_t piece = 0; piece < kPieces; ++piece) {
      const Count& count = sides_[side][piece];
      target.sides[side].least[piece] = count.least;
      target.sides[side].most[piece] =
          count.or_more ? codec::MaterialTarget::kAnyNumber : count.least;
    }
  }
  return target;
}

bool MaterialPattern::contains(std::uint32_t material) const {
  const std::uint32_t white = material >> kSideBits;
  return (has(sides_[0], white) && has(sides_[1], material)) ||
         (has(sides_[1], white) && has(sides_[0], material));
}

}  // namespace scidfs::fs
