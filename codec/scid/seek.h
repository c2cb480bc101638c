// Searches of a game for a position, for material, for a line of moves, and for damage.
// Source: FORMAT.md, sections 5 and 6.
//
// Only the main line counts, as far as the walk goes; variations are not searched. A seeker first
// replays a record (replay.h), which is cheap; then a walk confirms what the replay finds.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec/bytes.h"
#include "codec/material_target.h"
#include "codec/scid/main_line_reader.h"
#include "codec/scid/material_test.h"
#include "codec/target_position.h"

namespace scidfs::codec::scid {

// The first place where a game comes to the target.
struct Reached {
  std::uint32_t ply = 0;     // moves before that; 0: the game begins there
  std::optional<Move> next;  // the move that follows, if any does
};

// A search for one position in many records. Holds working memory: one for each thread.
class PositionSeeker {
 public:
  // `rule` is that of the records' format.
  explicit PositionSeeker(const TargetPosition& target, CastlingRule rule = CastlingRule::Standard);

  // Returns nothing if the game does not come to the position, or its record does not say where it
  // begins.
  std::optional<Reached> seek(Bytes record);

  // The conditions for a game to come to the target position, by color.
  struct Needs {
    std::array<Bitboard, 2> occupied{};
    std::array<Bitboard, 2> homes{};  // squares whose pawns have not moved
    std::array<std::size_t, 2> men{};
  };

 private:
  const TargetPosition target_;
  Needs needs_;
  MainLineReader reader_;
};

// A search for games that begin with exactly these moves, in this order, from the standard
// position, which may be given by a FEN. One for each thread.
class LineSeeker {
 public:
  // REQUIRES: at least one move; each is possible after those before it.
  explicit LineSeeker(std::span<const Move> moves, CastlingRule rule = CastlingRule::Standard);

  // Returns the number of the moves; nothing if the game does not begin with them.
  std::optional<std::uint32_t> seek(Bytes record);

 private:
  const std::vector<Move> moves_;
  const Position standard_;
  MainLineReader reader_;
};

// A search for games that meet a test of the pieces on the board (material_test.h) for at least two
// plies: in two consecutive positions of the main line. One for each thread.
template <class Test>
class CountsSeeker {
 public:
  explicit CountsSeeker(const typename Test::Target& target,
                        CastlingRule rule = CastlingRule::Standard);

  // Returns the ply of the first of the two positions: the moves before it. Returns nothing if
  // there are none.
  std::optional<std::uint32_t> seek(Bytes record);

 private:
  const Test test_;
  MainLineReader reader_;
};
extern template class CountsSeeker<MaterialTest>;
extern template class CountsSeeker<BalanceTest>;
extern template class CountsSeeker<BishopsTest>;
using MaterialSeeker = CountsSeeker<MaterialTest>;
using BalanceSeeker = CountsSeeker<BalanceTest>;
using BishopsSeeker = CountsSeeker<BishopsTest>;

// A check whether the moves of records, with variations and marks of comments, can be read to the
// end. One for each thread.
class DamageSeeker {
 public:
  explicit DamageSeeker(CastlingRule rule = CastlingRule::Standard) : reader_(rule) {}

  // Returns whether the record is damaged. It is, too, if it does not say where the game begins.
  bool seek(Bytes record);

 private:
  MainLineReader reader_;
};

}  // namespace scidfs::codec::scid
