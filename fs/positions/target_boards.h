// The boards of many positions that one scan searches for.
#pragma once

#include <absl/functional/function_ref.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/scid/index_signature.h"
#include "codec/scid/replay.h"
#include "codec/target_position.h"
#include "fs/content/work_budget.h"

namespace scidfs::fs {

// The pawns of a game that have never left their squares of the standard position: bits 0..7 for
// White's by file, then Black's. In a game of chess the set never grows.
using HomePawns = std::uint16_t;
inline constexpr HomePawns kAllHome = 0xFFFF;

// The pawns that stay in the set after a move from or to a square: a piece that leaves the square
// or arrives there means that no pawn is at home on it any more.
inline constexpr std::array<HomePawns, 64> kStayHome = [] {
  std::array<HomePawns, 64> stay{};
  stay.fill(kAllHome);
  for (unsigned file = 0; file < 8; ++file) {
    stay[codec::make_square(static_cast<int>(file), 1)] ^= static_cast<HomePawns>(1U << file);
    stay[codec::make_square(static_cast<int>(file), 6)] ^= static_cast<HomePawns>(0x100U << file);
  }
  return stay;
}();

HomePawns home_pawns_of(const codec::Position& position);

// Target positions by board and side to move; those with different castling or en passant rights
// may share a board. Immutable; any number of threads may use it. Takes 160 KiB and about 150 bytes
// for each target position.
class TargetBoards {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // If the budget is cancelled meanwhile, only some of the positions are there.
  explicit TargetBoards(std::span<const codec::TargetPosition> targets,
                        const WorkBudget& budget = WorkBudget::unlimited(nullptr));
  // Does the same for `count` positions, which position_of(i) returns.
  TargetBoards(std::size_t count, absl::FunctionRef<codec::Position(std::uint32_t)> position_of,
               const WorkBudget& budget);

  // Returns the number of boards; they are numbered from 0, in the order of their first positions.
  std::size_t size() const { return boards_.size(); }
  // Returns the board that a replay has come to where `side` is to move; kNone if it is none. One
  // bit is enough to rule out most of the boards that are none.
  std::uint32_t find(codec::scid::ReplayBoard board, codec::Color side) const {
    const std::uint64_t hash =
        hash_of(board.occupied(codec::Color::White), board.occupied(codec::Color::Black), side);
    const std::size_t bit = hash >> kFilterShift;
    if ((filter_[bit / 64] >> bit % 64 & 1) == 0) return kNone;
    return search(hash, board, side);
  }
  // Calls visit(target), with its place in the constructor's argument, for all target positions of
  // a board.
  template <class Visit>
  void for_each_target(std::uint32_t board, const Visit& visit) const {
    for (std::uint32_t target = boards_[board].target; target != kNone;
         target = same_board_[target]) {
      visit(target);
    }
  }
  // Returns whether any target position can still occur when these pawns are at home and `men` men
  // are on the board.
  bool may_come(HomePawns home, unsigned men) const { return men >= least_men_[home]; }

  // Where a game may come to a board for the last time: all pawns of `home` are still at home, and
  // at least `men` men are on the board.
  struct LastPlace {
    HomePawns home = 0;
    std::uint8_t men = 0;
  };
  // Returns that place of a game by its signature; nothing if the game comes to no board. REQUIRES:
  // the signature is verified, and tells something.
  std::optional<LastPlace> last_place(const codec::scid::IndexSignature& marks) const;

 private:
  static constexpr unsigned kFilterBits = 18;
  static constexpr unsigned kFilterShift = 64 - kFilterBits;

  struct Board {
    std::array<codec::Bitboard, 2> occupied{};
    std::array<codec::PieceType, 64> types{};
    codec::Color side{};
    std::uint32_t target = kNone;  // the first target position with this board
  };

  static std::uint64_t hash_of(codec::Bitboard white, codec::Bitboard black, codec::Color side) {
    constexpr std::uint64_t kWhite = 0x9E3779B97F4A7C15;
    constexpr std::uint64_t kBlack = 0xC2B2AE3D27D4EB4F;
    constexpr std::uint64_t kBlackToMove = 0xD6E8FEB86659FD93;
    // In a product, low bits influence all bits; so each side's home rank goes to the low bits.
    return (white * kWhite) ^ (__builtin_bswap64(black) * kBlack) ^
           (side == codec::Color::Black ? kBlackToMove : 0);
  }
  std::size_t slot_of(std::uint64_t hash) const { return (hash >> 20) & (slots_.size() - 1); }
  static bool has_pieces(const codec::scid::ReplayBoard& board, const Board& wanted);
  [[gnu::noinline]] std::uint32_t search(std::uint64_t hash, const codec::scid::ReplayBoard& board,
                                         codec::Color side) const;
  void add(std::uint32_t target, const codec::Position& position);

  std::vector<std::uint64_t> filter_;
  std::vector<std::uint8_t> least_men_;  // by home pawns; kTooMany: no target can occur
  std::vector<std::uint8_t> men_with_;   // the same of the targets with just these home pawns
  std::vector<std::uint32_t> slots_;     // open addressing; kNone: empty
  std::vector<Board> boards_;
  std::vector<std::uint32_t> same_board_;  // by target position: the next one of the same board
};

}  // namespace scidfs::fs
