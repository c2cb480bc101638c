// A chess position: the board, the side to move, and the other state that the rules need.
//
// Any arrangement with one king a side and no more than 16 pieces a side is a Position, legal or
// not: databases hold them. A Position is a plain value: copy it freely; no function here allocates
// except those that return text. Not thread-safe (as any value).
#pragma once

#include <absl/status/statusor.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/bitboard.h"
#include "codec/types.h"

namespace scidfs::codec {

// Castling rights as a set of these bits.
enum CastlingRight : std::uint8_t {
  kWhiteShort = 1,
  kWhiteLong = 2,
  kBlackShort = 4,
  kBlackLong = 8,
  kAllCastling = 15,
};

// The meaning of the castling letters of a FEN.
enum class CastlingRule : std::uint8_t {
  Standard,  // K, Q, k and q: king and rook stand on their home squares
  Chess960,  // also any rook beside a king on its first rank: the outermost, or that of a file A-H
};

// The squares of the rook before and after castling.
struct RookMove {
  Square from;
  Square to;
};

// The squares from which kings and rooks castle: those of the standard position, in Chess960 those
// of the game's start. A plain value of four bytes.
class CastlingHomes {
 public:
  constexpr Square king(Color us) const { return make_square(of(us).king, back_rank(us)); }
  constexpr Square rook(Color us, bool is_short) const {
    return make_square(is_short ? of(us).short_rook : of(us).long_rook, back_rank(us));
  }
  // Returns the rook's move for castling with the king to `king_to`.
  RookMove rook_move(Color us, Square king_to) const {
    const bool is_short = file_of(king_to) == 6;
    return {.from = rook(us, is_short), .to = make_square(is_short ? 5 : 3, back_rank(us))};
  }

  // Returns whether king and rook of that side castle from their squares in the standard position.
  bool is_standard(Color us, bool is_short) const {
    return of(us).king == 4 && (is_short ? of(us).short_rook == 7 : of(us).long_rook == 0);
  }

  static constexpr int back_rank(Color us) { return us == Color::White ? 0 : 7; }

 private:
  friend class Position;
  struct Files {
    std::uint16_t king : 3 = 4;
    std::uint16_t long_rook : 3 = 0;
    std::uint16_t short_rook : 3 = 7;
  };
  constexpr const Files& of(Color us) const { return files_[static_cast<std::size_t>(us)]; }

  std::array<Files, 2> files_{};
};

class Position {
 public:
  // ply() of a game's first position.
  static constexpr std::uint32_t kFirstPly = 2;

  // The standard start position.
  Position();

  // Parses a FEN as Scid does (scid/FORMAT.md, section 5.2). Only board and side to move must be
  // valid; all other fields may be missing and are read as far as they make sense. Castling letters
  // are dropped if king and rook are not where the rule requires them, and so is an en passant
  // square that is not on the third rank of the side that has moved. Without a castling field the
  // rights are guessed from king and rook on their home squares. Errors: InvalidArgument with the
  // reason.
  static absl::StatusOr<Position> from_fen(std::string_view fen,
                                           CastlingRule rule = CastlingRule::Standard);

  // Returns the FEN with all six fields. A castling right is KQkq if it is that of the outermost
  // rook, else the letter of the rook's file.
  std::string fen() const;
  // Writes the first four fields, as in EPD: at most kMaxEpdFields bytes. Returns the end.
  static constexpr std::size_t kMaxEpdFields = 71 + 2 + 5 + 3;
  char* write_epd_fields(char* out) const;
  // Write parts of them: the letters and digits of a rank, 0..7, which are at most 8 bytes; and
  // the fields after the board. Each returns the end.
  char* write_rank(int rank, char* out) const;
  char* write_state(char* out) const;
  // Returns the length of these fields.
  std::size_t epd_fields_length() const;

  Color side_to_move() const { return static_cast<Color>(plies_ & 1); }
  Bitboard occupied() const { return color_[0] | color_[1]; }
  Bitboard pieces(Color color) const { return color_[index(color)]; }
  Bitboard pieces(Color color, PieceType type) const {
    return type_[index(color)][static_cast<std::size_t>(type)];
  }
  Bitboard rooks_and_queens(Color color) const {
    return pieces(color, PieceType::Rook) | pieces(color, PieceType::Queen);
  }
  Bitboard bishops_and_queens(Color color) const {
    return pieces(color, PieceType::Bishop) | pieces(color, PieceType::Queen);
  }
  Square king(Color color) const { return last_to_[index(color)][kKing]; }
  Piece piece_at(Square square) const { return board_[square]; }

  std::uint8_t castling() const;
  const CastlingHomes& castling_homes() const { return homes_; }
  // Returns whether each castling right is that of a king and a rook on their home squares.
  bool castles_as_in_chess() const;
  // Returns the square behind a pawn that has just moved two squares; else kNoSquare.
  Square en_passant() const;
  std::uint32_t halfmove_clock() const { return plies_ - undo_.irreversible_ply; }
  std::uint32_t move_number() const { return plies_ >> 1; }

  // Returns the pieces of `by` that attack `square` if the squares of `occupied` block lines.
  Bitboard attackers(Square square, Color by, Bitboard occupied) const;
  // Returns whether the king of `color` is in check. Without a branch, since each ply calls it.
  bool in_check(Color color) const;

  // The state that make() forgets and unmake() needs: call undo() before make().
  struct Undo {
    Bitboard touched = 0;  // squares left or entered: a right ends with that of its king or rook
    std::uint32_t irreversible_ply = kFirstPly;  // of the last capture or move of a pawn
    // The last move: its first square, and place_of() its piece after it.
    Square last_from = 0;
    std::uint16_t last_place = static_cast<std::uint16_t>(place_of(PieceType::None, 0));
  };
  Undo undo() const { return undo_; }

  // Plays `move` for the side to move. REQUIRES: the move fits the board (its piece stands on
  // `from`, `captured` on `to`, or behind it for en passant); it need not be legal.
  void make(const Move& move) {
    if (side_to_move() == Color::White) {
      make<Color::White>(move);
    } else {
      make<Color::Black>(move);
    }
  }
  // Does the same for a side known to the compiler. REQUIRES: side_to_move() == kUs.
  template <Color kUs>
  void make(const Move& move);

  // Takes back the last move; `undo` is the result of undo() before it.
  void unmake(const Move& move, const Undo& undo);

  // Returns a number that grows by one with each move, from the number that the position had in a
  // game: kFirstPly at the start.
  std::uint32_t ply() const { return plies_; }
  // Returns the squares that moves have left or entered since the start, by castling those of the
  // king.
  Bitboard touched() const { return undo_.touched; }

  // Returns whether the same pieces are on the same squares, and the same side is to move.
  bool has_same_board(const Position& other) const {
    return color_ == other.color_ && side_to_move() == other.side_to_move() && type_ == other.type_;
  }
  // Returns whether the same kings may castle with the same rooks.
  bool has_same_castling(const Position& other) const;
  friend bool operator==(const Position& a, const Position& b);

 private:
  static constexpr std::size_t index(Color color) { return static_cast<std::size_t>(color); }
  static constexpr auto kKing = static_cast<std::size_t>(PieceType::King);
  static constexpr auto kPawn = static_cast<std::size_t>(PieceType::Pawn);

  struct Empty {};
  explicit Position(Empty) {}

  // Takes the board off the front of a FEN.
  absl::Status take_board(std::string_view& text);
  void parse_castling(std::string_view field, CastlingRule rule);
  void parse_chess960_castling(std::string_view field);
  void guess_castling();
  void parse_en_passant(std::string_view field, Color side);
  // Returns those of `rights` whose king and rook are on their home squares.
  std::uint8_t possible_castling(std::uint8_t rights) const;
  // Returns the letter of a castling right.
  char castling_letter(Color color, bool is_short) const;
  // Moves king and rook. Out of line: few moves castle.
  void castle(Square king_from, Square rook_from, Square king_to, Square rook_to, Color us);

  void put(Square square, Piece piece) {
    board_[square] = piece;
    type_[index(piece.color)][static_cast<std::size_t>(piece.type)] |= bit(square);
    color_[index(piece.color)] |= bit(square);
    if (piece.type == PieceType::King) last_to_[index(piece.color)][kKing] = square;
  }
  void remove(Square square) {
    const Piece piece = board_[square];
    board_[square] = Piece{};
    type_[index(piece.color)][static_cast<std::size_t>(piece.type)] &= ~bit(square);
    color_[index(piece.color)] &= ~bit(square);
  }
  void move_piece(Square from, Square to, PieceType type, Color color) {
    const Bitboard both = bit(from) | bit(to);
    type_[index(color)][static_cast<std::size_t>(type)] ^= both;
    color_[index(color)] ^= both;
    board_[to] = board_[from];
    board_[from] = Piece{};
  }

  // Sets of pieces by side and type, and of all pieces of a side. A move always clears a piece of
  // the other side, so that no branch asks whether it is a capture: if it takes nothing, it clears
  // a bit in the set of PieceType::None, which is empty anyway. The test for check reads the sets
  // right after the move has written them.
  std::array<std::array<Bitboard, kPieceTypes + 1>, 2> type_{};
  std::array<Bitboard, 2> color_{};
  Undo undo_;
  std::array<Piece, 64> board_{};
  std::uint8_t first_castling_ = 0;  // the rights before the first move
  // In these the entries for other types (and for moves that take nothing) mean nothing: they are
  // there so that make() need not test which move it is.
  std::array<std::array<Square, kPieceTypes + 1>, 2> last_to_{};  // squares of the kings, by color
  CastlingHomes homes_;
  std::uint32_t plies_ = kFirstPly;  // twice the move number, and one if Black's
};

// Returns the target square of a king that castles, from any square.
constexpr Square castling_target(Color us, bool is_short) {
  return make_square(is_short ? 6 : 2, CastlingHomes::back_rank(us));
}

// Returns the squares that must be empty for castling: all that king and rook pass or enter, except
// their own.
inline Bitboard castling_path(Square from, Square to, RookMove rook) {
  const Bitboard path = between(from, to) | bit(to) | between(rook.from, rook.to) | bit(rook.to);
  return path & ~(bit(from) | bit(rook.from));
}

// Returns the square of the pawn that a move to `to` takes en passant.
constexpr Square en_passant_victim(Square to, Color us) {
  return static_cast<Square>(us == Color::White ? to - 8 : to + 8);
}

// Returns the square that a pawn passes which moves two squares; kNoSquare for other moves.
constexpr Square square_passed(const Move& move) {
  return move.kind == MoveKind::DoublePush ? static_cast<Square>((move.from + move.to) / 2)
                                           : kNoSquare;
}

// Returns the square of the piece that a capturing move of `us` takes.
constexpr Square victim_of(const Move& move, Color us) {
  return move.kind == MoveKind::EnPassant ? en_passant_victim(move.to, us) : move.to;
}

[[gnu::always_inline]] inline bool Position::in_check(Color color) const {
  const Approach& approach = kApproaches[king(color)];
  const Color by = ~color;
  const Bitboard leapers = (approach.knights & pieces(by, PieceType::Knight)) |
                           (approach.kings & pieces(by, PieceType::King)) |
                           (approach.pawns[index(by)] & pieces(by, PieceType::Pawn));
  const Bitboard straight = rooks_and_queens(by);
  const Bitboard slanted = bishops_and_queens(by);
  const Bitboard all = occupied();
  const BitboardPair both = {all, all};
  const BitboardPair sliders =
      (internal::seen(approach.diagonals, both, approach.next, approach.next_flipped) &
       BitboardPair{slanted, slanted}) |
      (internal::seen(approach.file_and_rank, both, approach.next, approach.next_flipped_file) &
       BitboardPair{straight, straight});
  // In the west the nearest piece is the highest bit.
  const bool from_west = (approach.west & straight) > (approach.west & all & ~straight);
  return ((leapers | sliders[0] | sliders[1]) != 0) | from_west;
}

template <Color kUs>
[[gnu::always_inline]] inline void Position::make(const Move& move) {
  assert(side_to_move() == kUs);
  assert(move.kind == MoveKind::Null || piece_at(move.from) == Piece(move.piece, kUs));
  const auto us = index(kUs);
  const auto piece = static_cast<std::size_t>(move.piece);
  ++plies_;
  const std::uint32_t change = undo_.irreversible_ply ^ plies_;
  undo_.irreversible_ply ^=
      static_cast<std::uint32_t>(of_pawns(move.piece, change) | of_pieces(move.captured, change));
  undo_.last_from = move.from;
  undo_.last_place = static_cast<std::uint16_t>(place_of(move.piece, move.to));
  if (move.kind == MoveKind::Null) [[unlikely]]
    return;

  if (move.kind == MoveKind::Castling) [[unlikely]] {
    const RookMove rook = homes_.rook_move(kUs, move.to);
    castle(move.from, rook.from, move.to, rook.to, kUs);
    undo_.touched |= bit(move.from) | bit(move.to);
    return;
  }
  last_to_[us][piece] = move.to;
  const Square victim = victim_of(move, kUs);
  assert(piece_at(victim) ==
         (move.captured == PieceType::None ? Piece() : Piece(move.captured, ~kUs)));
  if (move.kind == MoveKind::EnPassant) [[unlikely]]
    board_[victim] = Piece{};
  board_[move.to] = board_[move.from];
  board_[move.from] = Piece{};
  const Bitboard both = bit(move.from) | bit(move.to);
  undo_.touched |= both;
  type_[index(~kUs)][static_cast<std::size_t>(move.captured)] &= ~bit(victim);
  type_[us][piece] ^= both;
  color_[index(~kUs)] &= ~bit(victim);
  color_[us] ^= both;
  if (move.promotion != PieceType::None) [[unlikely]] {
    remove(move.to);
    put(move.to, Piece{move.promotion, kUs});
  }
}

}  // namespace scidfs::codec
