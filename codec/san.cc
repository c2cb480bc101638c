#include "codec/san.h"

#include "codec/move_name.h"
#include "codec/movegen.h"

namespace scidfs::codec {
namespace {

constexpr std::string_view kLetters = "KQRBN";

constexpr char file_char(Square square) { return static_cast<char>('a' + file_of(square)); }
constexpr char rank_char(Square square) { return static_cast<char>('1' + rank_of(square)); }

constexpr internal::SanTable make_san_table() {
  internal::SanTable table{};
  for (std::size_t type = 0; type < kPieceTypes; ++type) {
    const auto piece = static_cast<PieceType>(type);
    for (Square to = 0; to < 64; ++to) {
      for (const bool capture : {false, true}) {
        ShortText text(" ");
        if (piece != PieceType::Pawn) {
          text.append(kLetters[type]);
        } else if (capture) {
          text.append('a');
        }
        if (capture) text.append('x');
        text.append(file_char(to));
        text.append(rank_char(to));
        table[place_of(piece, to)][capture ? 1 : 0] = text;
      }
    }
  }
  return table;
}

// Returns whether promotion and sign of the name are those of the move.
bool fits_exactly(const MoveName& name, const Move& move) {
  const bool promotes =
      move.piece == PieceType::Pawn && (rank_of(move.to) == 0 || rank_of(move.to) == 7);
  const bool takes = move.captured != PieceType::None;
  return promotes == (name.promotion != PieceType::None) &&
         (name.sign == MoveName::Sign::None || takes == (name.sign == MoveName::Sign::Takes));
}

std::string_view without_marks(std::string_view san) {
  return san.substr(0, san.find_last_not_of("+#!?") + 1);
}

bool is_null_move(std::string_view san) { return san == "--" || san == "0000"; }

Move null_move(const Position& position) {
  const Square king = position.king(position.side_to_move());
  return Move{.from = king, .to = king, .kind = MoveKind::Null};
}

// Calls take(move) for each legal move that a name means, castling apart, until it returns false.
template <class Take>
void for_each_named(const Position& position, const MoveName& name, const Take& take) {
  if (name.castling != MoveName::Castling::No) return;
  for (Bitboard set = origins_of(position, name); set != 0; set &= set - 1) {
    const Move move = named_move(position, name, first_square(set));
    if (fits_exactly(name, move) && is_legal(position, move) && !take(move)) return;
  }
}

}  // namespace

namespace internal {

constinit const SanTable kSan = make_san_table();

ShortText ambiguous_san(const Position& after, PieceType piece, Square from, Square to,
                        bool capture, Bitboard others) {
  const Color us = ~after.side_to_move();
  const Bitboard target = bit(to);
  // The occupied squares before the move; the captured piece was on the target.
  const Bitboard occupied = after.occupied() | bit(from);
  bool shared = false;
  bool file_shared = false;
  bool rank_shared = false;
  for (; others != 0; others &= others - 1) {
    const Square other = first_square(others);
    if ((between(to, other) & occupied) != 0) continue;
    const Bitboard left = (occupied & ~bit(other)) | target;
    if ((after.attackers(after.king(us), ~us, left) & ~target) != 0) continue;
    shared = true;
    file_shared |= file_of(other) == file_of(from);
    rank_shared |= rank_of(other) == rank_of(from);
  }
  ShortText text(" ");
  text.append(kLetters[static_cast<std::size_t>(piece)]);
  if (shared && (!file_shared || rank_shared)) text.append(file_char(from));
  if (shared && file_shared) text.append(rank_char(from));
  if (capture) text.append('x');
  text.append(file_char(to));
  text.append(rank_char(to));
  return text;
}

ShortText special_san(Move move) {
  if (move.kind == MoveKind::Null) return {" --"};
  if (move.kind == MoveKind::Castling) return {file_of(move.to) == 6 ? " O-O" : " O-O-O"};
  const bool capture = move.captured != PieceType::None;
  ShortText text = plain_san(PieceType::Pawn, move.from, move.to, capture);
  text.append('=');
  text.append(kLetters[static_cast<std::size_t>(move.promotion)]);
  return text;
}

}  // namespace internal

std::string to_san(const Position& before, const Move& move) {
  Position after = before;
  after.make(move);
  const ShortText text = before.side_to_move() == Color::White
                             ? find_san<Color::White>(after, move)
                             : find_san<Color::Black>(after, move);
  std::array<char, 2 * ShortText::kRoom> room;
  char* end = text.write(room.data());
  if (after.in_check(after.side_to_move())) *end++ = has_legal_move(after) ? '+' : '#';
  return {room.data() + 1, end};
}

std::optional<Move> parse_san(const Position& position, std::string_view san) {
  san = without_marks(san);
  if (is_null_move(san)) return null_move(position);
  const std::optional<MoveName> name = parse_move_name(san);
  if (!name.has_value() || name->length != san.size()) return std::nullopt;
  std::optional<Move> found;
  bool is_ambiguous = false;
  for_each_named(position, *name, [&](const Move& move) {
    is_ambiguous = found.has_value();
    found = move;
    return !is_ambiguous;
  });
  if (is_ambiguous) return std::nullopt;
  // A king's step comes first: in Chess960 castling may lead the king to the same square.
  return found.has_value() ? found : named_castling(position, *name);
}

std::optional<std::vector<Move>> named_moves(const Position& position, std::string_view san) {
  san = without_marks(san);
  if (is_null_move(san)) return std::vector<Move>{null_move(position)};
  const std::optional<MoveName> name = parse_move_name(san);
  if (!name.has_value() || name->length != san.size()) return std::nullopt;
  std::vector<Move> moves;
  for_each_named(position, *name, [&](const Move& move) {
    moves.push_back(move);
    return true;
  });
  if (!moves.empty()) return moves;
  if (const std::optional<Move> castling = named_castling(position, *name)) {
    moves.push_back(*castling);
  }
  return moves;
}

}  // namespace scidfs::codec
