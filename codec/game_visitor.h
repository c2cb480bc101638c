// The parts of a game, for readers that need more than its text.
#pragma once

#include <string_view>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec {

// Receives a game in the order of its PGN text, as one thread decodes it. Views are valid during
// the call.
class GameVisitor {
 public:
  GameVisitor() = default;
  GameVisitor(const GameVisitor&) = delete;
  GameVisitor& operator=(const GameVisitor&) = delete;
  virtual ~GameVisitor() = default;

  // Takes the lines of the tags, as PGN has them. Comes first.
  virtual void tags(std::string_view text) = 0;
  // Takes the position in which the game starts. Comes a second time, before all moves again, if
  // notes are not stored in the order in which they are shown: what came before no longer counts.
  virtual void start(const Position& position) = 0;
  // Takes a move, which led to `after`, and whether it gives check.
  virtual void move(const Position& after, const Move& move, bool is_check) = 0;
  virtual void nag(unsigned value) = 0;
  // Takes a comment as valid UTF-8 without control characters but tabs and line ends.
  virtual void comment(std::string_view text) = 0;
  // A variation replaces the last move of the line. It may turn out to have no moves.
  virtual void open_variation() = 0;
  virtual void close_variation() = 0;
};

}  // namespace scidfs::codec
