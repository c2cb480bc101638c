#include "codec/scid/seek.h"

#include <bit>

#include "codec/scid/main_line.h"

namespace scidfs::codec::scid {
namespace {

// Where the pawns of the standard position stand.
constexpr std::array<Bitboard, 2> kHomeRanks = {rank_mask(1), rank_mask(6)};

// Finds the first position of a replay in which the goal's pieces stand where the goal has them.
class PositionScan {
 public:
  PositionScan(const Position& goal, const RecordHead& head)
      : goal_(goal),
        side_(goal.side_to_move()),
        occupied_{goal.pieces(Color::White), goal.pieces(Color::Black)} {
    for (const Color color : {Color::White, Color::Black}) {
      const auto i = static_cast<std::size_t>(color);
      men_[i] = static_cast<std::size_t>(std::popcount(occupied_[i]));
      homes_[i] = goal.pieces(color, PieceType::Pawn) & kHomeRanks[i];
      // A FEN may have pawns where none can be, which may come home.
      if (head.fen.has_value() &&
          (head.fen->pieces(color, PieceType::Pawn) & (rank_mask(0) | rank_mask(7))) != 0) {
        homes_[i] = 0;
      }
    }
    start_side_ = head.fen.has_value() ? head.fen->side_to_move() : Color::White;
  }

  // After the move that follows, or the last one; null: the goal has not been found.
  const std::uint8_t* end() const { return end_; }

  bool start(ReplayBoard board) {
    if (start_side_ != side_ || !is_there(board)) return may_come(board);
    // No move leads there: that there is one at all is for the walk to find out.
    found_ = true;
    return true;
  }

  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard after, const Move&, const std::uint8_t* next) {
    if (found_) [[unlikely]] {
      end_ = next;
      return false;
    }
    if (~kUs == side_ && is_there(after)) [[unlikely]] {
      found_ = true;
      end_ = next;
      return true;
    }
    return may_come(after);
  }
  bool found() const { return found_; }

 private:
  bool is_there(ReplayBoard board) const {
    const Bitboard differ = (board.occupied(Color::White) ^ occupied_[0]) |
                            (board.occupied(Color::Black) ^ occupied_[1]);
    if (differ != 0) [[likely]]
      return false;
    return has_pieces(board);
  }
  [[gnu::noinline]] bool has_pieces(ReplayBoard board) const {
    for (const Color color : {Color::White, Color::Black}) {
      for (std::size_t number = 0; number < board.lists().count(color); ++number) {
        const NumberedPiece piece = board.lists().piece(color, number);
        if (goal_.piece_at(piece.square()).type != piece.type()) return false;
      }
    }
    return true;
  }
  // Pawns that have left their home squares do not come back, nor do men that have been taken.
  bool may_come(ReplayBoard board) const {
    const Bitboard gone =
        (homes_[0] & ~board.occupied(Color::White)) | (homes_[1] & ~board.occupied(Color::Black));
    return (gone == 0) & (board.lists().count(Color::White) >= men_[0]) &
           (board.lists().count(Color::Black) >= men_[1]);
  }

  const Position& goal_;
  const Color side_;
  Color start_side_;
  const std::array<Bitboard, 2> occupied_;
  std::array<Bitboard, 2> homes_{};
  std::array<std::size_t, 2> men_{};
  const std::uint8_t* end_ = nullptr;
  bool found_ = false;
};

// The same by a walk, in full.
class PositionLook {
 public:
  explicit PositionLook(const PositionGoal& goal) : goal_(goal) {}

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
    if (goal_.is_met_by(position)) reached_ = Reached{.ply = ply_, .next = {}};
  }

  const PositionGoal& goal_;
  std::optional<Reached> reached_;
  std::uint32_t ply_ = 0;
};

}  // namespace

PositionSeeker::PositionSeeker(const PositionGoal& goal, CastlingRule rule)
    : goal_(goal), rule_(rule) {}

std::optional<Reached> PositionSeeker::seek(Bytes record) {
  tags_.clear();
  RecordHead head;
  if (parse_record_head(record, tags_, head, rule_).has_value()) return std::nullopt;
  PositionScan scan(goal_.position, head);
  replay_.run(record, head, scan);
  if (!scan.found()) return std::nullopt;
  const auto walk = [&](Bytes part) {
    PositionLook look(goal_);
    walk_main_line(walker_, record, part, head, look);
    return look.reached();
  };
  // What comes after the replay's place cannot change what was before it.
  if (scan.end() == nullptr) return walk(record);
  const std::optional<Reached> reached =
      walk(record.first(static_cast<std::size_t>(scan.end() - record.data())));
  // The pieces may stand there more than once, and have the rights the second time only.
  return reached.has_value() || !goal_.with_rights ? reached : walk(record);
}

}  // namespace scidfs::codec::scid
