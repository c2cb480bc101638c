// A chess position: the board, whose turn it is, and what else the rules remember.
//
// Any arrangement with one king a side and no more than 16 pieces a side is a Position, legal or
// not: databases hold them. A Position is a plain value: copy it freely; no function here allocates
// except those that return text. Not thread-safe (as any value).
#pragma once

#include <absl/status/statusor.h>

#include <algorithm>
#include <array>
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

class Position {
 public:
  // The standard start position.
  Position();

  // Parses a FEN (specification scid4, section 5.2: fields after the side to move may be missing).
  // Castling letters without king and rook on their home squares are dropped; without a castling
  // field the rights are guessed from king and rook. Errors: InvalidArgument with the reason.
  static absl::StatusOr<Position> from_fen(std::string_view fen);

  // The FEN with all six fields.
  std::string fen() const;

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
  Square king(Color color) const { return last_to_[index(color)][0]; }
  Piece piece_at(Square square) const { return board_[square]; }

  std::uint8_t castling() const;
  // Behind a pawn that has just moved two squares; else kNoSquare.
  Square en_passant() const {
    const Square to = static_cast<Square>(last_place_ & 63);
    const bool pushed = last_place_ >> 6 == kPawn && (last_from_ == to + 16 || last_from_ + 16 == to) &&
                        (rank_of(last_from_) == 1 || rank_of(last_from_) == 6);
    return pushed ? static_cast<Square>((last_from_ + to) / 2) : kNoSquare;
  }
  std::uint32_t halfmove_clock() const {
    return std::min(plies_ - last_ply_[kPawn], plies_ - last_capture_[1]);
  }
  std::uint32_t move_number() const { return plies_ >> 1; }

  // Pieces of `by` that attack `square` when `occupied` is what stands in the way.
  Bitboard attackers(Square square, Color by, Bitboard occupied) const;
  // Whether the king of `color` stands in check.
  bool in_check(Color color) const;

  // What make() forgets and unmake() wants back; to be asked for before.
  struct Undo {
    Bitboard touched = 0;
    std::uint32_t irreversible_ply = 0;
    Square last_from = 0;
    std::uint16_t last_place = 0;
  };
  Undo undo() const { return {touched_, plies_ - halfmove_clock(), last_from_, last_place_}; }

  // Plays `move` for the side to move. REQUIRES: the move fits the board (its piece stands on
  // `from`, `captured` on `to`, or behind it for en passant); it need not be legal.
  void make(const Move& move) {
    if (side_to_move() == Color::White) {
      make<Color::White>(move);
    } else {
      make<Color::Black>(move);
    }
  }
  // The same for a side known to the compiler. REQUIRES: side_to_move() == kUs.
  template <Color kUs>
  void make(const Move& move);

  // Takes back the move made last; `undo` is what undo() said before it.
  void unmake(const Move& move, const Undo& undo);

  friend bool operator==(const Position& a, const Position& b);

 private:
  static constexpr std::size_t index(Color color) { return static_cast<std::size_t>(color); }
  static constexpr auto kPawn = static_cast<std::size_t>(PieceType::Pawn);
  // What plies_ says of a side's move.
  static constexpr std::uint32_t ply_of(std::uint32_t move_number, Color side) {
    return 2 * move_number + (side == Color::Black ? 1 : 0);
  }

  struct Empty {};
  explicit Position(Empty) {}

  absl::Status parse_board(std::string_view field);
  void parse_castling(std::string_view field);
  void guess_castling();
  // Of `rights`, those whose king and rook stand on their home squares.
  std::uint8_t possible_castling(std::uint8_t rights) const;

  void put(Square square, Piece piece) {
    board_[square] = piece;
    type_[index(piece.color)][static_cast<std::size_t>(piece.type)] |= bit(square);
    color_[index(piece.color)] |= bit(square);
    if (piece.type == PieceType::King) last_to_[index(piece.color)][0] = square;
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

  std::array<std::array<Bitboard, kPieceTypes + 1>, 2> type_{};
  std::array<Bitboard, 2> color_{};
  Bitboard touched_ =
      0;  // what moves have left or entered: a right ends where its king or rook does
  std::array<Piece, 64> board_{};
  std::uint8_t first_castling_ = 0;  // the rights before the first move
  // Where the last piece of a type went, by colour: where the king stands; the others mean nothing.
  std::array<std::array<Square, kPieceTypes + 1>, 2> last_to_{};
  Square last_from_ = 0;
  std::uint16_t last_place_ = 0;
  std::uint32_t plies_ = ply_of(1, Color::White);  // twice the move number, and one if Black's
  // What plies_ was after the last move of a pawn or capture. The entries of the other types mean
  // nothing: they are there so that a move need not be asked whether it is a pawn's.
  std::array<std::uint32_t, 2> last_capture_ = {2, 2};
  std::array<std::uint32_t, kPieceTypes + 1> last_ply_ = {2, 2, 2, 2, 2, 2, 2};
};

// Where the rook stands before and after castling with the king to `king_to`.
struct RookMove {
  Square from;
  Square to;
};
constexpr RookMove castling_rook(Square king_to) {
  const int rank = rank_of(king_to);
  return file_of(king_to) == 6 ? RookMove{make_square(7, rank), make_square(5, rank)}
                               : RookMove{make_square(0, rank), make_square(3, rank)};
}

// Where the pawn taken en passant by a move to `to` stands.
constexpr Square en_passant_victim(Square to, Color us) {
  return static_cast<Square>(us == Color::White ? to - 8 : to + 8);
}

// Where what a capturing move of `us` takes stands.
constexpr Square victim_of(const Move& move, Color us) {
  return move.kind == MoveKind::EnPassant ? en_passant_victim(move.to, us) : move.to;
}

[[gnu::always_inline]] inline bool Position::in_check(Color color) const {
  const Approach& approach = kApproaches[king(color)];
  const Bitboard leapers = (approach.knights & pieces(~color, PieceType::Knight)) |
                           (approach.kings & pieces(~color, PieceType::King)) |
                           ((color == Color::White ? approach.black_pawns : approach.white_pawns) & pieces(~color, PieceType::Pawn));
  const Bitboard straight = rooks_and_queens(~color);
  const Bitboard slanted = bishops_and_queens(~color);
  const Bitboard all = occupied();
  const BitboardPair both = {all, all};
  const BitboardPair found =
      (internal::seen(approach.diagonals, both, approach.twice, approach.twice_flipped) &
       BitboardPair{slanted, slanted}) |
      (internal::seen(approach.file_and_rank, both, approach.twice, approach.twice_flipped_file) &
       BitboardPair{straight, straight});
  // The nearest of several in the west is the highest number.
  const Bitboard west = approach.west & straight;
  const bool from_west = west > (approach.west & all & ~straight);
  return ((found[0] | found[1] | leapers) != 0) | from_west;
}

template <Color kUs>
[[gnu::always_inline]] inline void Position::make(const Move& move) {
  last_ply_[static_cast<std::size_t>(move.piece)] = ++plies_;
  last_capture_[move.captured != PieceType::None ? 1 : 0] = plies_;
  last_from_ = move.from;
  last_place_ = static_cast<std::uint16_t>(place_of(move.piece, move.to));
  if (move.kind == MoveKind::Null) [[unlikely]]
    return;

  const Bitboard victim = bit(victim_of(move, kUs));
  const Bitboard both = bit(move.from) | bit(move.to);
  last_to_[index(kUs)][static_cast<std::size_t>(move.piece)] = move.to;
  if (move.kind == MoveKind::EnPassant) [[unlikely]]
    board_[victim_of(move, kUs)] = Piece{};
  board_[move.to] = board_[move.from];
  board_[move.from] = Piece{};
  touched_ |= both;
  type_[index(~kUs)][static_cast<std::size_t>(move.captured)] &= ~victim;
  type_[index(kUs)][static_cast<std::size_t>(move.piece)] ^= both;
  color_[index(~kUs)] &= ~victim;
  color_[index(kUs)] ^= both;
  if (move.promotion != PieceType::None) [[unlikely]] {
    remove(move.to);
    put(move.to, Piece{move.promotion, kUs});
  } else if (move.kind == MoveKind::Castling) [[unlikely]] {
    const RookMove rook = castling_rook(move.to);
    move_piece(rook.from, rook.to, PieceType::Rook, kUs);
  }
}

}  // namespace scidfs::codec
