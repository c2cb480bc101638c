#include "codec/scid/mate_seek.h"

#include <cstddef>

#include "codec/bitboard.h"
#include "codec/movegen.h"

namespace scidfs::codec::scid {
namespace {

Square king_on(ReplayBoard board, Color color) { return board.lists().piece(color, 0).square(); }

Bitboard all_men(ReplayBoard board) {
  return board.occupied(Color::White) | board.occupied(Color::Black);
}

// Returns whether the king of `us` is in check.
bool is_in_check(ReplayBoard board, Color us) {
  const Square king = king_on(board, us);
  const Bitboard all = all_men(board);
  for (std::size_t number = 0; number < board.lists().count(~us); ++number) {
    const NumberedPiece piece = board.lists().piece(~us, number);
    const Bitboard reach = piece.type() == PieceType::Pawn
                               ? pawn_attacks(~us, piece.square())
                               : pseudo_attacks(piece.type(), piece.square());
    if ((reach & bit(king)) != 0 && (between(piece.square(), king) & all) == 0) return true;
  }
  return false;
}

// Returns whether a man of `us` that cannot be pinned, since it stands on no line with its king,
// may move. Then the position is no stalemate: either that is legal, or the king is in check.
bool has_free_man(ReplayBoard board, Color us) {
  const Bitboard lines = pseudo_attacks(PieceType::Queen, king_on(board, us));
  const Bitboard all = all_men(board);
  const Bitboard allowed = ~board.occupied(us) & ~bit(king_on(board, ~us));
  for (std::size_t number = 1; number < board.lists().count(us); ++number) {
    const NumberedPiece piece = board.lists().piece(us, number);
    const Bitboard from = bit(piece.square());
    if ((lines & from) != 0) continue;
    const Bitboard forward = us == Color::White ? from << 8 : from >> 8;
    const Bitboard targets = piece.type() == PieceType::Pawn
                                 ? forward & ~all
                                 : attacks(piece.type(), piece.square(), all) & allowed;
    if (targets != 0) return true;
  }
  return false;
}

// A visitor of a replay.
class MateScan {
 public:
  explicit MateScan(const MateTarget& target) : man_(target.man) {}

  // Returns whether a whole game may end with the target.
  bool is_candidate() const { return is_candidate_; }

  bool start(ReplayBoard, Color to_move) {
    to_move_ = to_move;
    return true;
  }
  template <Color kUs>
  [[gnu::always_inline]] bool move(ReplayBoard, const Move& move, const std::uint8_t*) {
    moved_ = move.piece;
    to_move_ = ~kUs;
    return true;
  }
  void end(ReplayBoard last) {
    is_candidate_ = man_ == PieceType::None ? !has_free_man(last, to_move_)
                                            : moved_ == man_ && is_in_check(last, to_move_);
  }

 private:
  const PieceType man_;
  PieceType moved_ = PieceType::None;
  Color to_move_ = Color::White;
  bool is_candidate_ = false;
};

// A visitor of a walk along the main line.
class MateLook {
 public:
  explicit MateLook(const MateTarget& target) : man_(target.man) {}

  bool is_met() const { return is_met_; }
  std::uint32_t plies() const { return plies_; }

  void start(const Position&) {}
  void move(const Position&, const Move& move) {
    ++plies_;
    moved_ = move.piece;
  }
  void end(const Position& last) {
    is_met_ = man_ == PieceType::None ? is_stalemate(last) : moved_ == man_ && is_checkmate(last);
  }

 private:
  const PieceType man_;
  PieceType moved_ = PieceType::None;
  std::uint32_t plies_ = 0;
  bool is_met_ = false;
};

}  // namespace

std::optional<std::uint32_t> MateSeeker::seek(Bytes record) {
  if (!reader_.open(record)) return std::nullopt;
  MateScan scan(target_);
  reader_.replay(scan);
  if (!scan.is_candidate()) return std::nullopt;
  MateLook look(target_);
  if (reader_.walk(look).has_value() || !look.is_met()) return std::nullopt;
  return look.plies();
}

}  // namespace scidfs::codec::scid
