// Whether a game begins with a line of moves, by a replay.
#pragma once

#include <cstdint>
#include <span>

#include "codec/scid/replay.h"
#include "codec/types.h"

namespace scidfs::codec::scid {

// Follows a line as long as moves agree with it. From one position, squares and promotion tell one
// move from another.
class LineFollower {
 public:
  explicit LineFollower(std::span<const Move> line) : line_(line) {}

  bool is_through() const { return next_ == line_.size(); }
  // REQUIRES: it is not through. False if the move is another one.
  bool follow(const Move& move) {
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

// A visitor of a replay. REQUIRES: the line has a move.
class LineScan {
 public:
  explicit LineScan(std::span<const Move> line) : follower_(line) {}

  // After the last move of the line; null: the game does not begin with it.
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
