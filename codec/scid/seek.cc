#include "codec/scid/seek.h"

#include <bit>

namespace scidfs::codec::scid {
namespace {

// The home squares of the pawns in the standard position.
constexpr std::array<Bitboard, 2> kHomeRanks = {rank_mask(1), rank_mask(6)};

// A search in a replay for the first position in which the target's pieces are on its squares.
class PositionScan {
 public:
  PositionScan(const Position& target, const PositionSeeker::Needs& needs, const RecordHead& head)
      : target_(target), needs_(needs) {
    if (!head.fen.has_value()) return;
    for (const Color color : {Color::White, Color::Black}) {
      // A FEN may have pawns on ranks where pawns cannot be; these may come to home squares.
      const Bitboard pawns = head.fen->pieces(color, PieceType::Pawn);
      if ((pawns & (rank_mask(0) | rank_mask(7))) != 0) {
        needs_.homes[static_cast<std::size_t>(color)] = 0;
      }
    }
  }

  bool found() const { return found_; }
  // Returns the place after the move that follows, or after the last one; null if there is none.
  const std::uint8_t* end() const { return end_; }

  bool start(ReplayBoard board, Color side) {
    look(board, side, nullptr);
    return found_ ||
           (has_homes(board) && has_men(board, Color::White) && has_men(board, Color::Black));
  }

  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard after, const Move& move, const std::uint8_t* next) {
    const Bitboard differ = (after.occupied(Color::White) ^ needs_.occupied[0]) |
                            (after.occupied(Color::Black) ^ needs_.occupied[1]);
    if ((differ & not_found_) == 0) [[unlikely]]
      return look(after, ~kUs, next);
    if (move.captured != PieceType::None && !has_men(after, ~kUs)) [[unlikely]]
      return false;
    // One more move in a game that will not come there costs less than to test twice as often.
    return kUs == Color::White || has_homes(after);
  }

 private:
  // Compares the pieces one by one, or records the move after the position. Returns whether to
  // continue.
  [[gnu::noinline]] bool look(ReplayBoard board, Color side, const std::uint8_t* next) {
    const bool was_found = found_;
    if (was_found || (side == target_.side_to_move() && has_pieces(board))) {
      found_ = true;
      not_found_ = 0;
      end_ = next;
    }
    return !was_found;
  }
  bool has_pieces(ReplayBoard board) const {
    for (const Color color : {Color::White, Color::Black}) {
      if (board.occupied(color) != target_.pieces(color)) return false;
      for (std::size_t number = 0; number < board.lists().count(color); ++number) {
        const NumberedPiece piece = board.lists().piece(color, number);
        if (target_.piece_at(piece.square()).type != piece.type()) return false;
      }
    }
    return true;
  }
  // Returns false if pawns that the target needs at home have left: they do not come back.
  bool has_homes(ReplayBoard board) const {
    return ((needs_.homes[0] & ~board.occupied(Color::White)) |
            (needs_.homes[1] & ~board.occupied(Color::Black))) == 0;
  }
  // Returns false if men that the target needs have been taken.
  bool has_men(ReplayBoard board, Color color) const {
    return board.lists().count(color) >= needs_.men[static_cast<std::size_t>(color)];
  }

  const Position& target_;
  PositionSeeker::Needs needs_;
  Bitboard not_found_ = ~Bitboard{0};
  const std::uint8_t* end_ = nullptr;
  bool found_ = false;
};

// A complete search for the position by a walk.
class PositionLook {
 public:
  explicit PositionLook(const TargetPosition& target) : target_(target) {}

  const std::optional<Reached>& reached() const { return reached_; }

  void start(const Position& position) { look(position); }
  void move(const Position& after, const Move& move) {
    if (!reached_.has_value()) {
      ++ply_;
      look(after);
    } else if (!reached_->next.has_value()) {
      reached_->next = move;
    }
  }

 private:
  void look(const Position& position) {
    if (target_.is_met_by(position)) reached_ = Reached{.ply = ply_, .next = {}};
  }

  const TargetPosition& target_;
  std::optional<Reached> reached_;
  std::uint32_t ply_ = 0;
};

}  // namespace

PositionSeeker::PositionSeeker(const TargetPosition& target, CastlingRule rule)
    : target_(target), reader_(rule) {
  for (const Color color : {Color::White, Color::Black}) {
    const auto i = static_cast<std::size_t>(color);
    needs_.occupied[i] = target.position.pieces(color);
    needs_.homes[i] = target.position.pieces(color, PieceType::Pawn) & kHomeRanks[i];
    needs_.men[i] = static_cast<std::size_t>(std::popcount(needs_.occupied[i]));
  }
}

std::optional<Reached> PositionSeeker::seek(Bytes record) {
  if (!reader_.open(record)) return std::nullopt;
  PositionScan scan(target_.position, needs_, reader_.head());
  reader_.replay(scan);
  if (!scan.found()) return std::nullopt;
  // The bytes after the replay's place cannot change the positions before it.
  if (scan.end() != nullptr) {
    PositionLook look(target_);
    reader_.walk_to(scan.end(), look);
    // The pieces may be there more than once, and have the rights only the second time.
    if (look.reached().has_value() || !target_.with_rights) return look.reached();
  }
  PositionLook look(target_);
  reader_.walk(look);
  return look.reached();
}

bool DamageSeeker::seek(Bytes record) {
  struct Nothing {
    void start(const Position&) {}
    void move(const Position&, const Move&) {}
  };
  if (!reader_.open(record)) return true;
  Nothing look;
  return reader_.walk(look).has_value();
}

}  // namespace scidfs::codec::scid
