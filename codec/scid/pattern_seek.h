// A search of games for a pattern of men on the board.
// Source: FORMAT.md, sections 5 and 6.
//
// Like the searches of seek.h, it replays the main line, and a walk confirms what is found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/board_pattern.h"
#include "codec/bytes.h"
#include "codec/position.h"
#include "codec/scid/main_line_reader.h"

namespace scidfs::codec::scid {

// A pattern prepared for fast tests. Immutable.
class PatternTest {
 public:
  explicit PatternTest(BoardPattern pattern);

  std::uint32_t positions() const { return pattern_.positions; }
  // Returns the squares whose contents decide whether the pattern is true.
  Bitboard watched() const { return watched_; }
  bool is_met(const SquaresByKind& squares) const;
  // Returns whether moves may lead to the pattern: no move adds pawns, and only promotions add
  // other men.
  bool may_come(const SquaresByKind& squares) const;

 private:
  const BoardPattern pattern_;
  Bitboard watched_ = 0;
};

// A search for one pattern in many records. Holds working memory: one for each thread.
class PatternSeeker {
 public:
  // `rule` is that of the records' format.
  explicit PatternSeeker(BoardPattern pattern, CastlingRule rule = CastlingRule::Standard);

  // Returns the ply of the first of the positions that the pattern is true of: the moves before it.
  // Returns nothing if the game does not come to the pattern.
  std::optional<std::uint32_t> seek(Bytes record);

 private:
  const PatternTest test_;
  MainLineReader reader_;
};

}  // namespace scidfs::codec::scid
