#include "codec/uci.h"

#include <cstddef>
#include <string_view>

namespace scidfs::codec {
namespace {

std::string square_name(Square square) {
  return {static_cast<char>('a' + file_of(square)), static_cast<char>('1' + rank_of(square))};
}

}  // namespace

std::string to_uci(const Move& move) {
  if (move.kind == MoveKind::Null) return "0000";
  constexpr std::string_view kPromotionLetters = "kqrbnp";  // by PieceType
  std::string text = square_name(move.from) + square_name(move.to);
  if (move.promotion != PieceType::None)
    text += kPromotionLetters[static_cast<std::size_t>(move.promotion)];
  return text;
}

}  // namespace scidfs::codec
