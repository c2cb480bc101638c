#include "codec/san.h"

#include "codec/movegen.h"

namespace scidfs::codec {
namespace {

constexpr std::string_view kLetters = "KQRBN";

constexpr char file_char(Square square) { return static_cast<char>('a' + file_of(square)); }
constexpr char rank_char(Square square) { return static_cast<char>('1' + rank_of(square)); }

constexpr internal::SanTable make_san_table() {
  internal::SanTable table{};
  const auto fill = [&table](PieceType piece, bool capture, Square from) {
    auto& row = table.text[internal::SanTable::row(piece, capture, from)];
    for (Square to = 0; to < 64; ++to) {
      if (piece != PieceType::Pawn) {
        row[to].append(kLetters[static_cast<std::size_t>(piece)]);
      } else if (capture) {
        row[to].append(file_char(from));
      }
      if (capture) row[to].append('x');
      row[to].append(file_char(to));
      row[to].append(rank_char(to));
    }
  };
  for (const PieceType piece :
       {PieceType::King, PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight}) {
    fill(piece, false, 0);
    fill(piece, true, 0);
  }
  fill(PieceType::Pawn, false, 0);
  for (Square file = 0; file < 8; ++file) fill(PieceType::Pawn, true, file);
  return table;
}

char* write_text(std::string_view text, char* out) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

}  // namespace

namespace internal {

constinit const SanTable kSan = make_san_table();

char* write_ambiguous_san(const Position& before, Move move, Bitboard others, char* out) {
  bool shared = false;
  bool file_shared = false;
  bool rank_shared = false;
  for (; others != 0; others &= others - 1) {
    const Square other = first_square(others);
    if ((between(other, move.to) & before.occupied()) != 0) continue;
    Move rival = move;
    rival.from = other;
    if (!is_legal(before, rival)) continue;
    shared = true;
    file_shared |= file_of(other) == file_of(move.from);
    rank_shared |= rank_of(other) == rank_of(move.from);
  }
  *out++ = kLetters[static_cast<std::size_t>(move.piece)];
  if (shared && (!file_shared || rank_shared)) *out++ = file_char(move.from);
  if (shared && file_shared) *out++ = rank_char(move.from);
  if (move.captured != PieceType::None) *out++ = 'x';
  *out++ = file_char(move.to);
  *out++ = rank_char(move.to);
  return out;
}

char* write_special_san(Move move, char* out) {
  if (move.kind == MoveKind::Null) return write_text("--", out);
  if (move.kind == MoveKind::Castling) {
    return write_text(file_of(move.to) == 6 ? "O-O" : "O-O-O", out);
  }
  const bool capture = move.captured != PieceType::None;
  out = kSan.text[SanTable::row(PieceType::Pawn, capture, move.from)][move.to].write(out);
  *out++ = '=';
  *out++ = kLetters[static_cast<std::size_t>(move.promotion)];
  return out;
}

}  // namespace internal

std::string to_san(const Position& before, const Move& move) {
  std::array<char, kSanRoom> text;
  char* end = before.side_to_move() == Color::White
                  ? write_san<Color::White>(before, move, text.data())
                  : write_san<Color::Black>(before, move, text.data());
  Position after = before;
  after.make(move);
  if (after.in_check(after.side_to_move())) *end++ = has_legal_move(after) ? '+' : '#';
  return {text.data(), end};
}

std::optional<Move> parse_san(const Position& position, std::string_view san) {
  if (const std::size_t end = san.find_last_not_of("+#!?"); end != std::string_view::npos) {
    san = san.substr(0, end + 1);
  }
  if (san == "--") {
    const Square king = position.king(position.side_to_move());
    return Move{.from = king, .to = king, .kind = MoveKind::Null};
  }
  std::optional<Move> found;
  for (const Move& move : legal_moves(position)) {
    std::string text = to_san(position, move);
    text.resize(text.find_last_not_of("+#") + 1);
    if (text != san) continue;
    if (found.has_value()) return std::nullopt;
    found = move;
  }
  return found;
}

}  // namespace scidfs::codec
