// What the tests ask of any lines.pgn.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "codec/position.h"

namespace scidfs::tests {

// A move with its comment, `{1,204: 54.3%; goes on after 1. d4 Nf6 2. c4}`.
struct LineMove {
  std::string san{};  // without check marks
  std::uint32_t games = 0;
  std::string score{};    // "54.3"; empty: none
  std::string goes_on{};  // "1. d4 Nf6 2. c4"; empty: nothing, or here
  std::string next{};     // board and side to move after it, as a name in positions/

  friend bool operator==(const LineMove&, const LineMove&) = default;
};

// The positions of a lines.pgn.
struct Lines {
  struct Place {
    codec::Position position;
    std::vector<std::string> line;  // SAN without check marks, from the first move of the game
    std::vector<LineMove> moves;
  };

  std::string bounds;                   // the comment before the first move
  std::map<std::string, Place> places;  // by board and side to move, as a name in positions/
  std::size_t moves = 0;                // of all places
  std::vector<std::string> first;       // the moves without a comment, with which the game begins
};

// Returns the positions of the only game of a text. Adds to `faults` what is wrong for any set: of
// the text (pgn_faults()), moves that are not legal or not written as SAN, a position that goes on
// at two places, a comment that names a wrong place or a place where nothing goes on, siblings that
// are equal.
Lines parse_lines(std::string_view text, std::vector<std::string>& faults);

}  // namespace scidfs::tests
