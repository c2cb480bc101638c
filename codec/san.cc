#include "codec/san.h"

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

// The parts of a move's name.
struct Named {
  PieceType piece = PieceType::None;  // None: any piece; then file and rank are given
  std::optional<int> file;            // of the origin
  std::optional<int> rank;
  Square to = kNoSquare;
  PieceType promotion = PieceType::None;
  std::optional<bool> takes;
  std::optional<bool> castles_short;  // then no other part is given
};

std::optional<int> parse_file(std::string_view text) {
  if (text.empty() || text[0] < 'a' || text[0] > 'h') return std::nullopt;
  return text[0] - 'a';
}

std::optional<int> parse_rank(std::string_view text) {
  if (text.empty() || text[0] < '1' || text[0] > '8') return std::nullopt;
  return text[0] - '1';
}

std::optional<PieceType> parse_letter(char letter) {
  const std::size_t type = kLetters.find(letter);
  if (type == std::string_view::npos) return std::nullopt;
  return static_cast<PieceType>(type);
}

// Takes "=Q", "Q" or "q" from the end. Returns false if the end is none of them.
bool take_promotion(std::string_view& text, PieceType& promotion) {
  if (text.empty() || parse_rank(text.substr(text.size() - 1)).has_value()) return true;
  const char letter = text.back();
  const bool is_small = letter >= 'a' && letter <= 'z';
  const std::optional<PieceType> type =
      parse_letter(is_small ? static_cast<char>(letter - 'a' + 'A') : letter);
  if (!type.has_value() || *type == PieceType::King) return false;
  promotion = *type;
  text.remove_suffix(1);
  if (text.ends_with('=')) text.remove_suffix(1);
  return true;
}

// Takes all before the target: "N", "Ng", "N1", "Ng1", "e", "e2", each with or without a sign.
bool take_origin(std::string_view text, Named& named) {
  if (text.ends_with('x') || text.ends_with('-')) {
    named.takes = text.back() == 'x';
    text.remove_suffix(1);
  }
  const std::optional<PieceType> piece = text.empty() ? std::nullopt : parse_letter(text[0]);
  if (piece.has_value()) text.remove_prefix(1);
  named.file = parse_file(text);
  if (named.file.has_value()) text.remove_prefix(1);
  named.rank = parse_rank(text);
  if (named.rank.has_value()) text.remove_prefix(1);
  if (piece.has_value()) {
    named.piece = *piece;
  } else if (named.file.has_value()) {
    if (!named.rank.has_value()) named.piece = PieceType::Pawn;
  } else {
    // Without a file a pawn moves straight.
    if (named.rank.has_value() || named.takes.has_value()) return false;
    named.piece = PieceType::Pawn;
    named.file = file_of(named.to);
  }
  return text.empty();
}

// Returns nothing if the text names no move in any position.
std::optional<Named> parse_named(std::string_view text) {
  Named named;
  if (text == "O-O" || text == "0-0" || text == "O-O-O" || text == "0-0-0") {
    named.castles_short = text.size() == std::string_view("O-O").size();
    return named;
  }
  if (!take_promotion(text, named.promotion) || text.size() < 2) return std::nullopt;
  const std::string_view target = text.substr(text.size() - 2);
  const std::optional<int> file = parse_file(target);
  const std::optional<int> rank = parse_rank(target.substr(1));
  if (!file.has_value() || !rank.has_value()) return std::nullopt;
  named.to = make_square(*file, *rank);
  if (!take_origin(text.substr(0, text.size() - 2), named)) return std::nullopt;
  return named;
}

// Returns whether the name fits a move that is no castling.
bool is_move(const Named& named, const Move& move) {
  return move.to == named.to && move.promotion == named.promotion &&
         (named.piece == PieceType::None || named.piece == move.piece) &&
         named.file.value_or(file_of(move.from)) == file_of(move.from) &&
         named.rank.value_or(rank_of(move.from)) == rank_of(move.from) &&
         named.takes.value_or(move.captured != PieceType::None) ==
             (move.captured != PieceType::None);
}

// Returns whether the name fits a castling, which may also be named by squares: the king's, or the
// king's and the rook's as in Chess960.
bool is_castling(const Named& named, const Move& move, const Position& position) {
  const bool is_short = file_of(move.to) == 6;
  if (named.castles_short.has_value()) return *named.castles_short == is_short;
  if (named.piece != PieceType::None || named.takes.has_value() ||
      named.promotion != PieceType::None || make_square(*named.file, *named.rank) != move.from) {
    return false;
  }
  return named.to == move.to ||
         named.to == position.castling_homes().rook(position.side_to_move(), is_short);
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
  if (const std::size_t end = san.find_last_not_of("+#!?"); end != std::string_view::npos) {
    san = san.substr(0, end + 1);
  }
  if (san == "--" || san == "0000") {
    const Square king = position.king(position.side_to_move());
    return Move{.from = king, .to = king, .kind = MoveKind::Null};
  }
  const std::optional<Named> named = parse_named(san);
  if (!named.has_value()) return std::nullopt;
  std::optional<Move> found;
  std::optional<Move> castling;
  for (const Move& move : legal_moves(position)) {
    if (move.kind == MoveKind::Castling) {
      if (is_castling(*named, move, position)) castling = move;
    } else if (is_move(*named, move)) {
      if (found.has_value()) return std::nullopt;
      found = move;
    }
  }
  // A king's step comes first: in Chess960 castling may lead the king to the same square.
  return found.has_value() ? found : castling;
}

}  // namespace scidfs::codec
