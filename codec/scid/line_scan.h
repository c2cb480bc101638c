// A scan that tells by a replay whether a game begins with a line of moves.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>

#include "codec/scid/replay.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// A follower of a line as long as the moves agree with it. It compares squares and promotion, which
// identify a move from one position.
class LineFollower {
 public:
  explicit LineFollower(std::span<const Move> line) : line_(line) {}

  bool is_through() const { return next_ == line_.size(); }
  // Returns false if the move differs from the line. REQUIRES: the line has more moves.
  bool follow(const Move& move) {
    assert(!is_through());
    const Move& wanted = line_[next_];
    if (move.from != wanted.from || move.to != wanted.to || move.promotion != wanted.promotion) {
      return false;
    }
    ++next_;
    return true;
  }

 private:
  std::span<const Move> line_;
  std::size_t next_ = 0;
};

// A visitor of a replay that compares it with a line. REQUIRES: the line has a move.
class LineScan {
 public:
  explicit LineScan(std::span<const Move> line) : follower_(line) { assert(!line.empty()); }

  // Returns the place after the last move of the line; null if the game does not begin with it.
  const std::uint8_t* end() const { return end_; }

  bool start(ReplayBoard, Color) { return true; }
  template <Color>
  bool move(ReplayBoard, const Move& move, const std::uint8_t* next) {
    if (!follower_.follow(move)) return false;
    if (follower_.is_through()) end_ = next;
    return !follower_.is_through();
  }

 private:
  LineFollower follower_;
  const std::uint8_t* end_ = nullptr;
};

}  // namespace scidfs::codec::scid
