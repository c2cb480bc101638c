// What the reader of PGN calls as it reads.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "codec/position.h"
#include "codec/types.h"

namespace scidfs::codec {

// Receives games in the order of the text. Views are valid during the call, and clean UTF-8: values
// without control characters, comments with none but tabs, and without blanks at their ends.
//
// Of each game: begin_game() with the number of its first line; tag() for each tag, as often as it
// stands there; start(); then moves with their notes and variations; end_game(). A variation
// replaces the last move of its line; it may have no moves. A comment or a NAG may also come after
// a variation, and then belongs to the move before that; a comment also before the first move.
//
// remark() says what was wrong, and on which line. It may come at any time, also between games.
template <class Sink>
concept PgnSink = requires(Sink sink, std::uint64_t line, std::string_view text,
                           const Position& position, const Move& move, bool flag,
                           std::uint8_t value, Result result) {
  sink.begin_game(line);
  sink.tag(text, text);              // name and value
  sink.start(position, flag, flag);  // whether it is the standard position; of Chess960
  sink.move(move, position);         // which it leads to
  sink.nag(value);
  sink.comment(text);
  sink.open_variation();
  sink.close_variation();
  sink.remark(line, text);
  sink.end_game(result);
};

}  // namespace scidfs::codec
