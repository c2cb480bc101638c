#include "tests/fuzz/course_check.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>

#include "codec/bitboard.h"
#include "codec/movegen.h"
#include "codec/scid/castling_seek.h"
#include "codec/scid/mate_seek.h"
#include "codec/scid/seek.h"
#include "tests/fuzz/target.h"

namespace scidfs::fuzz {
namespace {

using codec::Bytes;
using codec::CastlingRule;
using codec::Color;
using codec::Move;
using codec::PieceType;
using codec::Position;

class CourseCheck {
 public:
  CourseCheck(Bytes record, CastlingRule rule, const std::vector<Position>& positions,
              const std::vector<Move>& moves, bool is_whole)
      : record_(record), rule_(rule), positions_(positions), moves_(moves), is_whole_(is_whole) {}

  void check() const {
    constexpr std::size_t kMostRanges = 20;
    const std::size_t step = 1 + positions_.size() / kMostRanges;
    for (std::size_t ply = 0; ply < positions_.size(); ply += step) {
      const int balance = balance_of(positions_[ply]);
      const codec::BalanceTarget target{.least = balance - static_cast<int>(ply % 3),
                                        .most = balance};
      require(codec::scid::BalanceSeeker(target, rule_).seek(record_) ==
                  first_two([&](const Position& position) {
                    const int other = balance_of(position);
                    return other >= target.least && other <= target.most;
                  }),
              "a balance is found elsewhere than it is");
    }
    for (const bool are_same : {false, true}) check_both(are_same);
    for (const Color side : {Color::White, Color::Black}) check_castling(side);
    for (std::size_t man = 0; man <= codec::kPieceTypes; ++man) {
      check_mate(static_cast<PieceType>(man));
    }
  }

 private:
  using Ply = std::optional<std::uint32_t>;
  using Way = codec::CastlingTarget::Way;

  static int balance_of(const Position& position) {
    constexpr std::array<int, codec::kPieceTypes + 1> kValues = {0, 9, 5, 3, 3, 1, 0};
    int balance = 0;
    for (codec::Square square = 0; square < codec::kNoSquare; ++square) {
      const codec::Piece piece = position.piece_at(square);
      const int value = kValues[static_cast<std::size_t>(piece.type)];
      balance += piece.color == Color::White ? value : -value;
    }
    return balance;
  }
  template <class IsMet>
  Ply first_two(const IsMet& is_met) const {
    for (std::size_t i = 1; i < positions_.size(); ++i) {
      if (is_met(positions_[i - 1]) && is_met(positions_[i])) {
        return static_cast<std::uint32_t>(i - 1);
      }
    }
    return std::nullopt;
  }
  // Returns the index of the move by which a side first castles.
  std::optional<std::size_t> castling_of(Color side) const {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      if (moves_[i].kind == codec::MoveKind::Castling && positions_[i].side_to_move() == side) {
        return i;
      }
    }
    return std::nullopt;
  }
  bool is_short(std::size_t move) const { return codec::file_of(moves_[move].to) == 6; }

  void check_both(bool are_same) const {
    constexpr codec::Bitboard kDark = 0xAA55AA55AA55AA55;
    const auto target = are_same ? codec::BishopsTarget::Same : codec::BishopsTarget::Opposite;
    require(codec::scid::BishopsSeeker(target, rule_).seek(record_) ==
                first_two([&](const Position& position) {
                  const auto white = position.pieces(Color::White, PieceType::Bishop);
                  const auto black = position.pieces(Color::Black, PieceType::Bishop);
                  return std::popcount(white) == 1 && std::popcount(black) == 1 &&
                         (std::popcount((white | black) & kDark) != 1) == are_same;
                }),
            "bishops are found elsewhere than they are");
    const auto white = castling_of(Color::White);
    const auto black = castling_of(Color::Black);
    const bool both = white.has_value() && black.has_value();
    Ply expected;
    if (both && (is_short(*white) == is_short(*black)) == are_same) {
      expected = static_cast<std::uint32_t>(std::max(*white, *black) + 1);
    }
    check_way({.way = are_same ? Way::Same : Way::Opposite}, expected);
  }
  void check_castling(Color side) const {
    const std::optional<std::size_t> castled = castling_of(side);
    for (const Way way : {Way::Short, Way::Long, Way::No}) {
      Ply expected;
      if (way == Way::No && is_whole_ && !castled.has_value()) {
        expected = static_cast<std::uint32_t>(moves_.size());
      }
      if (way != Way::No && castled.has_value() && is_short(*castled) == (way == Way::Short)) {
        expected = static_cast<std::uint32_t>(*castled + 1);
      }
      check_way({.way = way, .side = side}, expected);
    }
  }
  void check_way(const codec::CastlingTarget& target, Ply expected) const {
    require(codec::scid::CastlingSeeker(target, rule_).seek(record_) == expected,
            "castling is found elsewhere than it is");
  }
  void check_mate(PieceType man) const {
    const Position& last = positions_.back();
    const bool is_over = is_whole_ && codec::legal_moves(last).empty();
    const bool is_check = last.in_check(last.side_to_move());
    const PieceType moved = moves_.empty() ? PieceType::None : moves_.back().piece;
    const bool is_met = man == PieceType::None ? !is_check : is_check && moved == man;
    Ply expected;
    if (is_over && is_met) expected = static_cast<std::uint32_t>(moves_.size());
    require(codec::scid::MateSeeker({.man = man}, rule_).seek(record_) == expected,
            "mate is found where it is not, or not where it is");
  }

  const Bytes record_;
  const CastlingRule rule_;
  const std::vector<Position>& positions_;
  const std::vector<Move>& moves_;
  const bool is_whole_;
};

}  // namespace

void check_course(Bytes record, CastlingRule rule, const std::vector<Position>& positions,
                  const std::vector<Move>& moves, bool is_whole) {
  CourseCheck(record, rule, positions, moves, is_whole).check();
}

}  // namespace scidfs::fuzz
