#include "fs/positions/target_hits.h"

#include <algorithm>
#include <limits>

#include "codec/scid/main_line.h"

namespace scidfs::fs {
namespace {

using codec::Bytes;
using codec::Color;
using codec::Move;
using codec::PieceType;
using codec::scid::RecordHead;
using codec::scid::ReplayBoard;

constexpr unsigned kMenOfChess = 32;

constexpr std::array<HomePawns, 64> kNobodyLeaves = [] {
  std::array<HomePawns, 64> stay{};
  stay.fill(kAllHome);
  return stay;
}();

// Returns whether a pawn may move to a home square: a FEN may have pawns on the first or last rank.
bool may_be_at_home(const codec::Position& start) {
  const codec::Bitboard pawns =
      start.pieces(Color::White, PieceType::Pawn) | start.pieces(Color::Black, PieceType::Pawn);
  return (pawns & (codec::rank_mask(0) | codec::rank_mask(7))) != 0;
}

}  // namespace

class TargetHits::Visitor {
 public:
  Visitor(TargetHits& owner, GameIndex game, const RecordHead& head, const std::uint8_t* moves,
          TargetBoards::LastPlace last)
      : owner_(owner), game_(game), end_(moves), last_(last) {
    if (!head.fen.has_value()) return;
    men_ = static_cast<unsigned>(std::popcount(head.fen->occupied()));
    if (may_be_at_home(*head.fen)) {
      stay_home_ = kNobodyLeaves.data();
    } else {
      home_ = home_pawns_of(*head.fen);
    }
  }

  // Returns the end of the last ply that the caller needs.
  const std::uint8_t* end() const { return end_; }

  bool start(ReplayBoard board, Color to_move) {
    look(board, to_move);
    return goes_on();
  }

  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard after, const Move& move, const std::uint8_t* next) {
    ++ply_;
    home_ = static_cast<HomePawns>(home_ & stay_home_[move.from] & stay_home_[move.to]);
    men_ -= move.captured == PieceType::None ? 0 : 1;
    last_move_ = move;
    if (move.kind != codec::MoveKind::Null) [[likely]]
      touched_ |= codec::bit(move.from) | codec::bit(move.to);
    if (wanted_ != 0) {
      --wanted_;
      end_ = next;
      if (TargetHits::Hit& last = owner_.hits_.back(); last.ply + 1 == ply_) last.next = move;
    }
    if (look(after, ~kUs)) end_ = next;
    return goes_on();
  }

 private:
  [[gnu::always_inline]] bool look(ReplayBoard position, Color side) {
    const std::uint32_t board = owner_.boards_.find(position, side);
    if (board == TargetBoards::kNone) return false;
    if (owner_.which_ == Which::First) {
      if (owner_.seen_[board] == game_) return false;
      owner_.seen_[board] = game_;
    }
    owner_.hits_.push_back({.board = board,
                            .ply = ply_,
                            .next = {},
                            .touched = touched_,
                            .passed = codec::square_passed(last_move_)});
    wanted_ = std::max(wanted_, owner_.plies_[board]);
    return true;
  }
  bool goes_on() const {
    const bool is_past = (last_.home & ~home_) != 0 || men_ < last_.men;
    return wanted_ != 0 || (!is_past && owner_.boards_.may_come(home_, men_));
  }

  TargetHits& owner_;
  const GameIndex game_;
  const std::uint8_t* end_;
  const TargetBoards::LastPlace last_;
  const HomePawns* stay_home_ = kStayHome.data();
  HomePawns home_ = kAllHome;
  unsigned men_ = kMenOfChess;
  unsigned wanted_ = 0;  // number of plies needed from here on
  std::uint32_t ply_ = 0;
  codec::Bitboard touched_ = 0;
  Move last_move_;
};

std::span<const TargetHits::Hit> TargetHits::find(GameIndex game, Bytes record,
                                                  const RecordHead& head,
                                                  TargetBoards::LastPlace last) {
  hits_.clear();
  Visitor visitor(*this, game, head, record.data() + head.moves_offset, last);
  replay_.run(record, head, visitor);
  wanted_ = record.first(static_cast<std::size_t>(visitor.end() - record.data()));
  return hits_;
}

std::uint32_t TargetHits::right_plies(const GameSizes& sizes, GameIndex game, Bytes record,
                                      const RecordHead& head) {
  if (sizes.is_whole(game)) {
    return std::numeric_limits<std::uint32_t>::max();
  }
  return walk_positions(walker_, record, wanted_, head,
                        [](std::uint32_t, const codec::Position&) {});
}

}  // namespace scidfs::fs
