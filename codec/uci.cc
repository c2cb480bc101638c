#include "codec/uci.h"

#include <array>
#include <string_view>

#include "codec/write.h"

namespace scidfs::codec {

char* write_uci(const Move& move, char* out) {
  if (move.kind == MoveKind::Null) return write_text("0000", out);
  constexpr std::string_view kPromotionLetters = "kqrbnp";  // by PieceType
  out = write_square(move.to, write_square(move.from, out));
  if (move.promotion != PieceType::None) {
    *out++ = kPromotionLetters[static_cast<std::size_t>(move.promotion)];
  }
  return out;
}

std::string to_uci(const Move& move) {
  std::array<char, kMaxUciLength> text{};
  return {text.data(), write_uci(move, text.data())};
}

}  // namespace scidfs::codec
