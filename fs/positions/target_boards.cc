#include "fs/positions/target_boards.h"

#include <algorithm>

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::PieceType;
using codec::Position;
using codec::Square;
using codec::scid::NumberedPiece;
using codec::scid::ReplayBoard;

constexpr std::uint8_t kTooMany = 0xFF;

}  // namespace

HomePawns home_pawns_of(const Position& position) {
  constexpr unsigned kWhiteShift = 8;
  constexpr unsigned kBlackShift = 48;
  constexpr codec::Bitboard kRank = 0xFF;
  const codec::Bitboard white = position.pieces(Color::White, PieceType::Pawn) >> kWhiteShift;
  const codec::Bitboard black = position.pieces(Color::Black, PieceType::Pawn) >> kBlackShift;
  return static_cast<HomePawns>((white & kRank) | (black & kRank) << 8);
}

TargetBoards::TargetBoards(std::span<const codec::TargetPosition> targets)
    : filter_((std::size_t{1} << kFilterBits) / 64),
      least_men_(std::size_t{kAllHome} + 1, kTooMany),
      slots_(std::bit_ceil(2 * targets.size() + 1), kNone),
      same_board_(targets.size(), kNone) {
  for (std::uint32_t target = 0; target < targets.size(); ++target)
    add(target, targets[target].position);
  // A board that can occur with some pawns at home can occur with more of them at home.
  for (std::size_t pawn = 1; pawn <= kAllHome; pawn <<= 1) {
    for (std::size_t home = 0; home < least_men_.size(); ++home) {
      if ((home & pawn) == 0) continue;
      least_men_[home] = std::min(least_men_[home], least_men_[home ^ pawn]);
    }
  }
}

void TargetBoards::add(std::uint32_t target, const Position& position) {
  Board board{.occupied = {position.pieces(Color::White), position.pieces(Color::Black)},
              .side = position.side_to_move(),
              .target = target};
  for (Square square = 0; square < 64; ++square)
    board.types[square] = position.piece_at(square).type;
  const std::uint64_t hash = hash_of(board.occupied[0], board.occupied[1], board.side);
  std::size_t slot = slot_of(hash);
  for (; slots_[slot] != kNone; slot = (slot + 1) & (slots_.size() - 1)) {
    Board& other = boards_[slots_[slot]];
    if (other.occupied == board.occupied && other.side == board.side &&
        other.types == board.types) {
      same_board_[target] = other.target;
      other.target = target;
      return;
    }
  }
  slots_[slot] = static_cast<std::uint32_t>(boards_.size());
  boards_.push_back(board);
  const std::size_t bit = hash >> kFilterShift;
  filter_[bit / 64] |= std::uint64_t{1} << bit % 64;
  std::uint8_t& least = least_men_[home_pawns_of(position)];
  least = std::min(least, static_cast<std::uint8_t>(std::popcount(position.occupied())));
}

bool TargetBoards::has_pieces(const ReplayBoard& board, const Board& wanted) {
  for (const Color color : {Color::White, Color::Black}) {
    for (std::size_t number = 0; number < board.lists().count(color); ++number) {
      const NumberedPiece piece = board.lists().piece(color, number);
      if (wanted.types[piece.square()] != piece.type()) return false;
    }
  }
  return true;
}

std::uint32_t TargetBoards::search(std::uint64_t hash, const ReplayBoard& board, Color side) const {
  std::size_t slot = slot_of(hash);
  for (; slots_[slot] != kNone; slot = (slot + 1) & (slots_.size() - 1)) {
    const Board& wanted = boards_[slots_[slot]];
    if (wanted.occupied[0] == board.occupied(Color::White) &&
        wanted.occupied[1] == board.occupied(Color::Black) && wanted.side == side &&
        has_pieces(board, wanted)) {
      return slots_[slot];
    }
  }
  return kNone;
}

}  // namespace scidfs::fs
