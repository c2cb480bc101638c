// A number for a board and the side to move, kept up to date while a game is replayed.
//
// Castling rights, en passant and counters do not count. Different boards have the same number once
// in 2^64 pairs: code that must tell them apart looks at the boards.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/position.h"
#include "codec/scid/replay.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

using BoardKey = std::uint64_t;

namespace board_key {

// By side, type of piece and square. Part of files: other numbers make them unreadable.
inline constexpr std::array<std::array<std::array<BoardKey, 64>, 8>, 2> kPieces = [] {
  std::array<std::array<std::array<BoardKey, 64>, 8>, 2> keys{};
  std::uint64_t state = 0;
  // SplitMix64.
  const auto next = [&state] {
    std::uint64_t mixed = state += 0x9E3779B97F4A7C15;
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB;
    return mixed ^ mixed >> 31;
  };
  for (auto& of_side : keys) {
    for (std::size_t type = 0; type < kPieceTypes; ++type) {
      for (BoardKey& key : of_side[type]) key = next();
    }
  }
  return keys;
}();
inline constexpr BoardKey kBlackToMove = 0xD6E8FEB86659FD93;

// Returns 0 for type None.
constexpr BoardKey of_piece(Color color, PieceType type, Square square) {
  return kPieces[static_cast<std::size_t>(color)][static_cast<std::size_t>(type)][square];
}

}  // namespace board_key

// Returns the number of a position.
inline BoardKey key_of_board(const Position& position) {
  BoardKey key = position.side_to_move() == Color::Black ? board_key::kBlackToMove : 0;
  for (Bitboard rest = position.occupied(); rest != 0; rest &= rest - 1) {
    const Square square = first_square(rest);
    const Piece piece = position.piece_at(square);
    key ^= board_key::of_piece(piece.color, piece.type, square);
  }
  return key;
}

// The number of the board of a replay (replay.h): a visitor hands over what it is told.
class ReplayKey {
 public:
  BoardKey get() const { return key_; }

  void start(const ReplayBoard& board, Color to_move) {
    key_ = to_move == Color::Black ? board_key::kBlackToMove : 0;
    for (const Color color : {Color::White, Color::Black}) {
      for (Bitboard rest = board.occupied(color); rest != 0; rest &= rest - 1) {
        const Square square = first_square(rest);
        key_ ^= board_key::of_piece(color, board.type_on(color, square), square);
      }
    }
  }

  template <Color kUs>
  [[gnu::always_inline]] void move(const ReplayBoard& after, const Move& move) {
    key_ ^= board_key::kBlackToMove;
    if (move.kind == MoveKind::Null) [[unlikely]]
      return;
    const PieceType becomes = move.promotion == PieceType::None ? move.piece : move.promotion;
    key_ ^= board_key::of_piece(kUs, move.piece, move.from) ^
            board_key::of_piece(kUs, becomes, move.to) ^
            board_key::of_piece(~kUs, move.captured, victim_of(move, kUs));
    if (move.kind == MoveKind::Castling) [[unlikely]] {
      const RookMove rook = after.lists().castling_homes().rook_move(kUs, move.to);
      key_ ^= board_key::of_piece(kUs, PieceType::Rook, rook.from) ^
              board_key::of_piece(kUs, PieceType::Rook, rook.to);
    }
  }

 private:
  BoardKey key_ = 0;
};

}  // namespace scidfs::codec::scid
