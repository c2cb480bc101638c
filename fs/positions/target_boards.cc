#include "fs/positions/target_boards.h"

#include <algorithm>
#include <cassert>

#include "codec/scid/index.h"
#include "fs/content/step_watch.h"

namespace scidfs::fs {
namespace {

using codec::Color;
using codec::PieceType;
using codec::Position;
using codec::Square;
using codec::scid::NumberedPiece;
using codec::scid::ReplayBoard;

constexpr std::uint8_t kTooMany = 0xFF;

// The pawns by home_pawn_item().
constexpr unsigned kPawns = 16;
constexpr std::array<HomePawns, kPawns> kPawnOfItem = [] {
  std::array<HomePawns, kPawns> pawns{};
  for (unsigned item = 0; item < kPawns; ++item) {
    pawns[item] = static_cast<HomePawns>(~kStayHome[codec::scid::home_pawn_square(item)]);
  }
  return pawns;
}();

}  // namespace

HomePawns home_pawns_of(const Position& position) {
  constexpr unsigned kWhiteShift = 8;
  constexpr unsigned kBlackShift = 48;
  constexpr codec::Bitboard kRank = 0xFF;
  const codec::Bitboard white = position.pieces(Color::White, PieceType::Pawn) >> kWhiteShift;
  const codec::Bitboard black = position.pieces(Color::Black, PieceType::Pawn) >> kBlackShift;
  return static_cast<HomePawns>((white & kRank) | (black & kRank) << 8);
}

TargetBoards::TargetBoards(std::span<const codec::TargetPosition> targets, const WorkBudget& budget)
    : TargetBoards(
          targets.size(), [targets](std::uint32_t target) { return targets[target].position; },
          budget) {}

TargetBoards::TargetBoards(std::size_t count,
                           absl::FunctionRef<Position(std::uint32_t)> position_of,
                           const WorkBudget& budget)
    : filter_((std::size_t{1} << kFilterBits) / 64),
      least_men_(std::size_t{kAllHome} + 1, kTooMany),
      slots_(std::bit_ceil(2 * count + 1), kNone),
      same_board_(count, kNone) {
  constexpr std::size_t kTargetsOfLook = 1024;
  StepWatch watch(budget, kTargetsOfLook);
  for (std::uint32_t target = 0; target < count && !watch.is_cancelled(); ++target) {
    add(target, position_of(target));
  }
  men_with_ = least_men_;
  // A board that can occur with some pawns at home can occur with more of them at home.
  for (std::size_t pawn = 1; pawn <= kAllHome; pawn <<= 1) {
    for (std::size_t home = 0; home < least_men_.size(); ++home) {
      if ((home & pawn) == 0) continue;
      least_men_[home] = std::min(least_men_[home], least_men_[home ^ pawn]);
    }
  }
}

// The home pawns of the game are those of its end, then those with the pawn that left last, and so
// on back to its start.
std::optional<TargetBoards::LastPlace> TargetBoards::last_place(
    const codec::scid::IndexSignature& marks) const {
  assert(!marks.tells_nothing());
  constexpr unsigned kRankBits = 4;
  std::array<HomePawns, kPawns> leave{};  // by rank; the last: never, or as the last of sixteen
  for (unsigned item = 0; item < kPawns; ++item) {
    leave[marks.home_pawns >> kRankBits * item & (kPawns - 1)] |= kPawnOfItem[item];
  }
  std::optional<LastPlace> last;
  const auto look = [&](HomePawns home) {
    const std::uint8_t men = men_with_[home];
    if (men == kTooMany) return;
    if (!last.has_value()) last = {.home = home, .men = men};
    last->men = std::min(last->men, men);
  };
  HomePawns home = 0;
  if (!marks.has_home_pawn()) look(home);
  for (unsigned rank = kPawns; rank-- != 0;) {
    if (leave[rank] == 0) continue;
    home |= leave[rank];
    look(home);
  }
  return last;
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
