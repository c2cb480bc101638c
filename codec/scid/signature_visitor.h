// A check of a game's index signature (index_signature.h) during a walk for another purpose.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "codec/bitboard.h"
#include "codec/position.h"
#include "codec/scid/facts.h"
#include "codec/scid/index.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// A visitor of a walk (walk.h) that does what `Visitor` does, and also checks whether an index
// entry agrees with the moves.
//
// A home square is touched first when its pawn leaves it or is taken. Branches on that would be
// hard to predict, so there are none: the visitor notes the touched squares after each move, and
// goes through them after the walk.
template <class Visitor>
class SignatureVisitor : public Visitor {
 public:
  using Visitor::Visitor;

  // Returns whether the entry has the home pawns, the final material and the flag for promotions of
  // the main line. False if a note has ended the walk, or if the game or a variation is too long to
  // tell. REQUIRES: the walk has ended, and began in the standard position.
  bool agrees_with(const IndexEntry& entry) const {
    return is_whole_ && entry.material == material_ && entry.has(kFlagPromotion) == promotion_ &&
           has_order_of(entry);
  }

  template <Color kUs>
  [[gnu::always_inline]] void move(const Position& after, const Move& move) {
    if (move.promotion != PieceType::None) [[unlikely]]
      promotion_ |= depth_ == 0;
    Visitor::template move<kUs>(after, move);
    touched_[after.ply() % kMostPlies] = after.touched();
  }
  std::string_view nag(std::uint8_t value) { return watch_error(Visitor::nag(value)); }
  std::string_view comment() { return watch_error(Visitor::comment()); }
  void begin_variation(const Position& before) {
    if (depth_++ == 0) {
      replaced_ = (before.ply() + 1) % kMostPlies;
      touched_there_ = touched_[replaced_];
    }
    Visitor::begin_variation(before);
  }
  void end_variation(const Position& end_of_line) {
    if (--depth_ == 0) touched_[replaced_] = touched_there_;
    // The touched squares of a longer variation overwrite those of the start of the main line.
    is_whole_ &= end_of_line.ply() < kMostPlies;
    Visitor::end_variation(end_of_line);
  }
  void end(const Position& end_of_line) {
    material_ = material_of(end_of_line);
    last_ply_ = end_of_line.ply();
    Visitor::end(end_of_line);
  }

 private:
  static constexpr std::uint32_t kMostPlies = 1024;
  static constexpr std::uint32_t kFirstPly = 3;  // Position::ply() after the first move
  static constexpr std::size_t kItems = 16;
  static constexpr Bitboard kHomes = rank_mask(1) | rank_mask(6);
  // The home squares by home-pawn item.
  static constexpr std::array<Bitboard, kItems> kHomeSquares = [] {
    std::array<Bitboard, kItems> squares{};
    for (unsigned item = 0; item < kItems; ++item) squares[item] = bit(home_pawn_square(item));
    return squares;
  }();

  std::string_view watch_error(std::string_view error) {
    is_whole_ &= error.empty();
    return error;
  }

  // Returns whether, after each move, the touched home squares are the first ones of the entry's
  // list.
  bool has_order_of(const IndexEntry& entry) const {
    if (last_ply_ >= kMostPlies) return false;
    std::array<Bitboard, kItems + 1> first_of_list{};
    Bitboard listed = 0;
    for (unsigned i = 0; i < entry.home_pawn_count; ++i) {
      listed |= kHomeSquares[home_pawn_item(entry, i)];
      first_of_list[i + 1] = listed;
    }
    const Bitboard at_end = last_ply_ < kFirstPly ? 0 : touched_[last_ply_] & kHomes;
    if (at_end != listed) return false;
    Bitboard wrong = 0;
    Bitboard now = 0;
    for (std::uint32_t ply = kFirstPly; now != at_end; ++ply) {
      now = touched_[ply] & kHomes;
      wrong |= now ^ first_of_list[static_cast<std::size_t>(std::popcount(now))];
    }
    return wrong == 0;
  }

  std::array<Bitboard, kMostPlies> touched_;  // by Position::ply(), in the main line so far
  std::uint32_t replaced_ = 0;                // the ply of the main line that a variation replaces
  Bitboard touched_there_ = 0;
  std::uint32_t last_ply_ = 0;
  std::size_t depth_ = 0;  // of variations
  std::uint32_t material_ = 0;
  bool promotion_ = false;  // in the main line
  bool is_whole_ = true;    // no note has ended the walk, and no variation is too long
};

}  // namespace scidfs::codec::scid
