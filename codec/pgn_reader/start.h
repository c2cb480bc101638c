// What the tags of a game say about its moves: where they start, by which rules, and the result.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec::pgn_reader {

struct StartPosition {
  Position position;
  bool is_standard = true;
  bool is_chess960 = false;
  std::string fault;  // why the moves cannot be read; empty if they can
  std::string doubt;  // why they may have been played by other rules
};

// Takes the tags of one game after the other. Of a repeated tag the last one counts.
class StartTags {
 public:
  void begin();
  // Takes any tag.
  void take(std::string_view name, std::string_view value);

  // Returns the start by the tags FEN and Variant. A FEN may have the castling rights of chess,
  // X-FEN or Shredder-FEN; where Variant does not name Chess960, letters of files make it one. A
  // name decides no more than that, since it can be any word; men in hand of Crazyhouse do not
  // count. With a FEN that is no position, it is the standard position with a fault.
  StartPosition start() const;
  // Returns the result by its tag; nothing without one.
  std::optional<Result> result() const { return result_; }

 private:
  std::string variant_, fen_;
  std::optional<Result> result_;
};

}  // namespace scidfs::codec::pgn_reader
