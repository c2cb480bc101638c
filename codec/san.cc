#include "codec/san.h"

#include "codec/movegen.h"

namespace scidfs::codec {
namespace {

constexpr std::string_view kLetters = "KQRBN";

constexpr char file_char(Square square) { return static_cast<char>('a' + file_of(square)); }
constexpr char rank_char(Square square) { return static_cast<char>('1' + rank_of(square)); }

constexpr internal::SanTable make_san_table() {
  internal::SanTable table{};
  const auto fill = [&table](std::size_t row, PieceType piece, bool capture, Square from) {
    for (Square to = 0; to < 64; ++to) {
      internal::ShortText& text = table.text[row][to];
      if (piece != PieceType::Pawn) {
        text.append(kLetters[static_cast<std::size_t>(piece)]);
      } else if (capture) {
        text.append(file_char(from));
      }
      if (capture) text.append('x');
      text.append(file_char(to));
      text.append(rank_char(to));
    }
  };
  std::size_t rows = 0;
  for (std::size_t piece = 0; piece < kPieceTypes; ++piece) {
    for (const bool capture : {false, true}) {
      const auto type = static_cast<PieceType>(piece);
      const bool by_file = type == PieceType::Pawn && capture;
      table.rows[piece][capture ? 1 : 0] = {
          .first = static_cast<std::uint8_t>(rows),
          .file_mask = static_cast<std::uint8_t>(by_file ? 7 : 0)};
      const Square files = by_file ? 8 : 1;
      for (Square file = 0; file < files; ++file) fill(rows++, type, capture, file);
    }
  }
  return table;
}

char* write_text(std::string_view text, char* out) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

}  // namespace

namespace internal {

constinit const SanTable kSan = make_san_table();

bool discovered(const Position& after, Bitboard candidates, Square king) {
  candidates &= (pseudo_attacks(PieceType::Rook, king) &
                 (after.pieces(PieceType::Rook) | after.pieces(PieceType::Queen))) |
                (pseudo_attacks(PieceType::Bishop, king) &
                 (after.pieces(PieceType::Bishop) | after.pieces(PieceType::Queen)));
  for (; candidates != 0; candidates &= candidates - 1) {
    if ((between(first_square(candidates), king) & after.occupied()) == 0) return true;
  }
  return false;
}

char* write_ambiguous_san(const Position& before, PieceType piece, Square from, Square to,
                          bool capture, Bitboard others, char* out) {
  bool shared = false;
  bool file_shared = false;
  bool rank_shared = false;
  for (; others != 0; others &= others - 1) {
    const Square other = first_square(others);
    if ((between(other, to) & before.occupied()) != 0) continue;
    const Move rival{.from = other, .to = to, .piece = piece, .captured = before.piece_at(to).type};
    if (!is_legal(before, rival)) continue;
    shared = true;
    file_shared |= file_of(other) == file_of(from);
    rank_shared |= rank_of(other) == rank_of(from);
  }
  *out++ = kLetters[static_cast<std::size_t>(piece)];
  if (shared && (!file_shared || rank_shared)) *out++ = file_char(from);
  if (shared && file_shared) *out++ = rank_char(from);
  if (capture) *out++ = 'x';
  *out++ = file_char(to);
  *out++ = rank_char(to);
  return out;
}

char* write_special_san(Move move, char* out) {
  if (move.kind == MoveKind::Null) return write_text("--", out);
  if (move.kind == MoveKind::Castling) {
    return write_text(file_of(move.to) == 6 ? "O-O" : "O-O-O", out);
  }
  const bool capture = move.captured != PieceType::None;
  out = kSan.text[kSan.row(PieceType::Pawn, capture, move.from)][move.to].write(out);
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
