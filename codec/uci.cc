#include "codec/uci.h"

#include <array>
#include <string_view>

#include "codec/write.h"

namespace scidfs::codec {

namespace {

std::string uci_text(const Move& move, const std::optional<CastlingHomes>& homes) {
  std::array<char, kMaxUciLength> text{};
  return {text.data(), write_uci(move, homes, text.data())};
}

}  // namespace

std::optional<CastlingHomes> chess960_homes(const Position& start) {
  if (start.castles_as_in_chess()) return std::nullopt;
  return start.castling_homes();
}

Square uci_target(const Move& move, const std::optional<CastlingHomes>& homes) {
  if (move.kind != MoveKind::Castling || !homes.has_value()) return move.to;
  return homes->rook_move(rank_of(move.to) == 0 ? Color::White : Color::Black, move.to).from;
}

char* write_uci(const Move& move, const std::optional<CastlingHomes>& homes, char* out) {
  if (move.kind == MoveKind::Null) return write_text("0000", out);
  constexpr std::string_view kPromotionLetters = "kqrbnp";  // by PieceType
  out = write_square(uci_target(move, homes), write_square(move.from, out));
  if (move.promotion != PieceType::None) {
    *out++ = kPromotionLetters[static_cast<std::size_t>(move.promotion)];
  }
  return out;
}

std::string to_uci(const Move& move) { return uci_text(move, std::nullopt); }

std::string to_uci(const Position& before, const Move& move) {
  return uci_text(move, chess960_homes(before));
}

}  // namespace scidfs::codec
