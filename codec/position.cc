#include "codec/position.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "codec/number.h"

namespace scidfs::codec {
namespace {

constexpr std::string_view kPieceLetters = "KQRBNPkqrbnp";
constexpr int kMaxPiecesPerSide = 16;

absl::Status bad_fen(std::string_view reason) {
  return absl::InvalidArgumentError(fmt::format("bad FEN: {}", reason));
}

// Where the letters and digits of a rank are in a FEN, by its occupied files.
struct RankLayout {
  // By file. Empty squares in a row have one place, and the last one's digit stays there.
  std::array<std::uint8_t, 8> place{};
  std::array<std::uint8_t, 8> empty{};  // squares in a row up to this one
  std::uint8_t length = 0;
};
constexpr std::array<RankLayout, 256> kRankLayouts = [] {
  std::array<RankLayout, 256> layouts{};
  for (unsigned files = 0; files < layouts.size(); ++files) {
    RankLayout& layout = layouts[files];
    std::uint8_t empty = 0;
    for (unsigned file = 0; file < 8; ++file) {
      empty = (files >> file & 1) != 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(empty + 1);
      if (empty < 2) ++layout.length;
      layout.place[file] = static_cast<std::uint8_t>(layout.length - 1);
      layout.empty[file] = empty;
    }
  }
  return layouts;
}();

constexpr std::string_view kBlanks = " \t\r\n";

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
}

// Removes the field at the front and returns it; it is empty at the end.
std::string_view take_field(std::string_view& text) {
  skip_blanks(text);
  const std::string_view field = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(field.size());
  return field;
}

// Returns the number of at most six digits at the front of a counter; `missing` if there is none.
std::uint32_t parse_counter(std::string_view text, std::uint32_t missing) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  const auto value = parse_number<std::uint32_t>(digits);
  return value.has_value() && *value <= 999999 ? *value : missing;
}

}  // namespace

Position::Position() {
  constexpr std::array<PieceType, 8> kBackRank = {
      PieceType::Rook, PieceType::Knight, PieceType::Bishop, PieceType::Queen,
      PieceType::King, PieceType::Bishop, PieceType::Knight, PieceType::Rook};
  for (int file = 0; file < 8; ++file) {
    const PieceType type = kBackRank[static_cast<std::size_t>(file)];
    put(make_square(file, 0), {type, Color::White});
    put(make_square(file, 1), {PieceType::Pawn, Color::White});
    put(make_square(file, 6), {PieceType::Pawn, Color::Black});
    put(make_square(file, 7), {type, Color::Black});
  }
  first_castling_ = kAllCastling;
}

absl::StatusOr<Position> Position::from_fen(std::string_view fen, CastlingRule rule) {
  skip_blanks(fen);
  if (fen.empty()) return bad_fen("it is empty");
  Position position{Empty{}};
  if (absl::Status status = position.take_board(fen); !status.ok()) return status;

  Color side = Color::White;
  skip_blanks(fen);
  if (!fen.empty()) {
    if (fen.front() == 'b' || fen.front() == 'B') {
      side = Color::Black;
    } else if (fen.front() != 'w' && fen.front() != 'W') {
      return bad_fen("the side to move is neither w nor b");
    }
    fen.remove_prefix(1);
  }
  if (const std::string_view castling = take_field(fen); !castling.empty()) {
    position.parse_castling(castling, rule);
  } else {
    position.guess_castling();
  }
  position.parse_en_passant(take_field(fen), side);
  const std::uint32_t halfmoves = parse_counter(take_field(fen), 0);
  const std::uint32_t number = parse_counter(take_field(fen), 1);
  position.plies_ = 2 * std::max(1U, number) + (side == Color::White ? 0 : 1);
  position.undo_.irreversible_ply = position.plies_ - halfmoves;
  return position;
}

absl::Status Position::take_board(std::string_view& text) {
  constexpr std::string_view kFollowing = " \t\r\nwWbB";
  int squares = 0;  // passed so far, in the order of a FEN
  for (; squares < 64; text.remove_prefix(1)) {
    const char c = text.empty() ? ' ' : text.front();
    const int file = squares % 8;
    if (c == '/') {
      if (file != 0) return bad_fen("a rank has not eight squares");
    } else if (c >= '1' && c <= '8') {
      squares += c - '0';
      if (file + c - '0' > 8) return bad_fen("a rank has more than eight squares");
    } else if (kBlanks.find(c) != std::string_view::npos) {
      return bad_fen("the board has not 64 squares");
    } else {
      const std::size_t letter = kPieceLetters.find(c);
      if (letter == std::string_view::npos) return bad_fen("the board has an unknown letter");
      const Piece piece{static_cast<PieceType>(letter % kPieceTypes),
                        letter < kPieceTypes ? Color::White : Color::Black};
      if (piece.type == PieceType::King && pieces(piece.color, PieceType::King) != 0) {
        return bad_fen("a side has two kings");
      }
      put(make_square(file, 7 - squares / 8), piece);
      ++squares;
    }
  }
  if (!text.empty() && kFollowing.find(text.front()) == std::string_view::npos) {
    return bad_fen("the board has more than 64 squares");
  }
  for (const Color color : {Color::White, Color::Black}) {
    if (pieces(color, PieceType::King) == 0) return bad_fen("a king is missing");
    if (std::popcount(pieces(color)) > kMaxPiecesPerSide) {
      return bad_fen("a side has more than 16 pieces");
    }
  }
  return absl::OkStatus();
}

void Position::parse_en_passant(std::string_view field, Color side) {
  const char rank = side == Color::White ? '6' : '3';
  if (field.size() != 2 || field[0] < 'a' || field[0] > 'h' || field[1] != rank) return;
  // Sets the state as if the pawn had just come there.
  const Square passed = make_square(field[0] - 'a', field[1] - '1');
  const int forward = side == Color::White ? -8 : 8;
  undo_.last_from = static_cast<Square>(passed - forward);
  undo_.last_place =
      static_cast<std::uint16_t>(place_of(PieceType::Pawn, static_cast<Square>(passed + forward)));
}

void Position::parse_castling(std::string_view field, CastlingRule rule) {
  if (rule == CastlingRule::Chess960) return parse_chess960_castling(field);
  std::uint8_t rights = 0;
  for (const char c : field) {
    switch (c) {
      case 'K':
        rights |= kWhiteShort;
        break;
      case 'Q':
        rights |= kWhiteLong;
        break;
      case 'k':
        rights |= kBlackShort;
        break;
      case 'q':
        rights |= kBlackLong;
        break;
      default:
        break;
    }
  }
  first_castling_ = possible_castling(rights);
}

void Position::parse_chess960_castling(std::string_view field) {
  for (const char c : field) {
    const Color color = c >= 'a' ? Color::Black : Color::White;
    const char letter = color == Color::Black ? static_cast<char>(c - 'a' + 'A') : c;
    const int rank = CastlingHomes::back_rank(color);
    if (rank_of(king(color)) != rank) continue;
    const int king_file = file_of(king(color));
    const auto is_rook = [&](int file) {
      return board_[make_square(file, rank)] == Piece{PieceType::Rook, color};
    };
    int file = king_file;
    if (letter == 'K') {
      for (file = 7; file > king_file && !is_rook(file);) --file;
    } else if (letter == 'Q') {
      for (file = 0; file < king_file && !is_rook(file);) ++file;
    } else if (letter >= 'A' && letter <= 'H' && is_rook(letter - 'A')) {
      file = letter - 'A';
    }
    if (file == king_file) continue;
    CastlingHomes::Files& homes = homes_.files_[index(color)];
    homes.king = static_cast<std::uint16_t>(king_file & 7);
    const auto rook_file = static_cast<std::uint16_t>(file & 7);
    if (file > king_file) {
      homes.short_rook = rook_file & 7;
      first_castling_ |= color == Color::White ? kWhiteShort : kBlackShort;
    } else {
      homes.long_rook = rook_file & 7;
      first_castling_ |= color == Color::White ? kWhiteLong : kBlackLong;
    }
  }
}

void Position::guess_castling() { first_castling_ = possible_castling(kAllCastling); }

std::uint8_t Position::possible_castling(std::uint8_t rights) const {
  const auto possible = [this](Color color, Square king_home, Square rook_home) {
    return king(color) == king_home && board_[rook_home] == Piece{PieceType::Rook, color};
  };
  if (!possible(Color::White, 4, 7)) rights &= ~kWhiteShort;
  if (!possible(Color::White, 4, 0)) rights &= ~kWhiteLong;
  if (!possible(Color::Black, 60, 63)) rights &= ~kBlackShort;
  if (!possible(Color::Black, 60, 56)) rights &= ~kBlackLong;
  return rights;
}

std::uint8_t Position::castling() const {
  std::uint8_t rights = first_castling_;
  const auto touched = [this](Color color, bool is_short) {
    return (undo_.touched & (bit(homes_.king(color)) | bit(homes_.rook(color, is_short)))) != 0;
  };
  if (touched(Color::White, true)) rights &= ~kWhiteShort;
  if (touched(Color::White, false)) rights &= ~kWhiteLong;
  if (touched(Color::Black, true)) rights &= ~kBlackShort;
  if (touched(Color::Black, false)) rights &= ~kBlackLong;
  return rights;
}

bool Position::castles_as_in_chess() const {
  const unsigned rights = castling();
  const auto holds = [&](CastlingRight right, Color us, bool is_short) {
    return (rights & right) == 0 || homes_.is_standard(us, is_short);
  };
  return holds(kWhiteShort, Color::White, true) && holds(kWhiteLong, Color::White, false) &&
         holds(kBlackShort, Color::Black, true) && holds(kBlackLong, Color::Black, false);
}

char Position::castling_letter(Color color, bool is_short) const {
  const Square home = homes_.rook(color, is_short);
  const int file = file_of(home);
  // The squares of the rank on the rook's far side.
  const unsigned files = is_short ? 0xFFU << (file + 1) & 0xFFU : (1U << file) - 1;
  const Bitboard beyond_rook = Bitboard{files} << (home - file);
  const bool is_outermost = (pieces(color, PieceType::Rook) & beyond_rook) == 0;
  const char letter = is_outermost ? (is_short ? 'K' : 'Q') : static_cast<char>('A' + file);
  return color == Color::White ? letter : static_cast<char>(letter - 'A' + 'a');
}

bool Position::has_same_castling(const Position& other) const {
  const std::uint8_t rights = castling();
  if (rights != other.castling()) return false;
  for (const Color color : {Color::White, Color::Black}) {
    for (const bool is_short : {true, false}) {
      const unsigned right = (is_short ? kWhiteShort : kWhiteLong)
                             << (color == Color::White ? 0 : 2);
      if ((rights & right) != 0 &&
          homes_.rook(color, is_short) != other.homes_.rook(color, is_short)) {
        return false;
      }
    }
  }
  return true;
}

bool operator==(const Position& a, const Position& b) {
  return a.has_same_castling(b) && a.type_ == b.type_ && a.color_ == b.color_ &&
         a.board_ == b.board_ && a.plies_ == b.plies_ && a.en_passant() == b.en_passant() &&
         a.halfmove_clock() == b.halfmove_clock();
}

Square Position::en_passant() const {
  const int to = undo_.last_place & 63;
  const int home = side_to_move() == Color::White ? 6 : 1;
  if (undo_.last_place >> 6 != kPawn || rank_of(undo_.last_from) != home) return kNoSquare;
  return std::abs(to - undo_.last_from) == 16 ? static_cast<Square>((to + undo_.last_from) / 2)
                                              : kNoSquare;
}

std::string Position::fen() const {
  std::array<char, kMaxEpdFields> fields;
  const std::string_view text(
      fields.data(), static_cast<std::size_t>(write_epd_fields(fields.data()) - fields.data()));
  return fmt::format("{} {} {}", text, halfmove_clock(), move_number());
}

char* Position::write_epd_fields(char* out) const {
  for (int rank = 7; rank >= 0; --rank) {
    out = write_rank(rank, out);
    *out++ = rank == 0 ? ' ' : '/';
  }
  return write_state(out);
}

char* Position::write_rank(int rank, char* out) const {
  constexpr std::string_view kMen = "KQRBNP0kqrbnp";  // by color and type: 0 is for empty squares
  // Without a branch that depends on the board: to guess wrong costs more than some squares.
  const RankLayout& layout = kRankLayouts[occupied() >> (8 * rank) & 0xFF];
  for (int file = 0; file < 8; ++file) {
    const Piece piece = board_[make_square(file, rank)];
    const std::size_t man =
        index(piece.color) * (kPieceTypes + 1) + static_cast<std::size_t>(piece.type);
    const auto at = static_cast<std::size_t>(file);
    out[layout.place[at]] = static_cast<char>(kMen[man] + layout.empty[at]);
  }
  return out + layout.length;
}

char* Position::write_state(char* out) const {
  *out++ = side_to_move() == Color::White ? 'w' : 'b';
  *out++ = ' ';
  const std::uint8_t rights = castling();
  if ((rights & kWhiteShort) != 0) *out++ = castling_letter(Color::White, true);
  if ((rights & kWhiteLong) != 0) *out++ = castling_letter(Color::White, false);
  if ((rights & kBlackShort) != 0) *out++ = castling_letter(Color::Black, true);
  if ((rights & kBlackLong) != 0) *out++ = castling_letter(Color::Black, false);
  if (rights == 0) *out++ = '-';
  *out++ = ' ';
  const Square passed = en_passant();
  if (passed == kNoSquare) {
    *out++ = '-';
  } else {
    *out++ = static_cast<char>('a' + file_of(passed));
    *out++ = static_cast<char>('1' + rank_of(passed));
  }
  return out;
}

std::size_t Position::epd_fields_length() const {
  constexpr std::size_t kFixed = 7 + 3 + 1;  // slashes, blanks, the side to move
  std::size_t length = kFixed;
  Bitboard ranks = occupied();
  for (int rank = 0; rank < 8; ++rank, ranks >>= 8) length += kRankLayouts[ranks & 0xFF].length;
  return length + static_cast<std::size_t>(std::max(1, std::popcount(castling()))) +
         (en_passant() == kNoSquare ? 1 : 2);
}

Bitboard Position::attackers(Square square, Color by, Bitboard occupied) const {
  Bitboard found = (pawn_attacks(~by, square) & pieces(by, PieceType::Pawn)) |
                   (pseudo_attacks(PieceType::Knight, square) & pieces(by, PieceType::Knight)) |
                   (pseudo_attacks(PieceType::King, square) & pieces(by, PieceType::King));
  // Few sliders are on a line with the square: tests only those lines.
  Bitboard sliders = (pseudo_attacks(PieceType::Rook, square) & rooks_and_queens(by)) |
                     (pseudo_attacks(PieceType::Bishop, square) & bishops_and_queens(by));
  for (; sliders != 0; sliders &= sliders - 1) {
    const Square slider = first_square(sliders);
    if ((between(square, slider) & occupied) == 0) found |= bit(slider);
  }
  return found;
}

void Position::castle(Square king_from, Square rook_from, Square king_to, Square rook_to,
                      Color us) {
  // Each may move to the other's square, or stay.
  const Bitboard king_squares = bit(king_from) ^ bit(king_to);
  const Bitboard rook_squares = bit(rook_from) ^ bit(rook_to);
  type_[index(us)][kKing] ^= king_squares;
  type_[index(us)][static_cast<std::size_t>(PieceType::Rook)] ^= rook_squares;
  color_[index(us)] ^= king_squares ^ rook_squares;
  board_[king_from] = Piece{};
  board_[rook_from] = Piece{};
  board_[king_to] = Piece{PieceType::King, us};
  board_[rook_to] = Piece{PieceType::Rook, us};
  last_to_[index(us)][kKing] = king_to;
}

void Position::unmake(const Move& move, const Undo& undo) {
  --plies_;
  const Color us = side_to_move();
  undo_ = undo;
  if (move.kind == MoveKind::Null) return;

  if (move.kind == MoveKind::Castling) {
    const RookMove rook = homes_.rook_move(us, move.to);
    castle(move.to, rook.to, move.from, rook.from, us);
    return;
  }
  if (move.promotion != PieceType::None) {
    remove(move.to);
    put(move.to, Piece{PieceType::Pawn, us});
  }
  move_piece(move.to, move.from, move.piece, us);
  if (move.piece == PieceType::King) last_to_[index(us)][kKing] = move.from;
  if (move.captured != PieceType::None) {
    put(victim_of(move, us), Piece{move.captured, ~us});
  }
}

}  // namespace scidfs::codec
