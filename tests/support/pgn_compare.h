// Compares two PGN texts by what they mean, game by game.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/pgn_parse.h"

namespace scidfs::tests {

enum class PgnAspect {
  Tags,
  Moves,
  Variations,
  Nags,
  Comments,
  Result,
  Numbers,
  Order,
  Unknown,
  Games
};

struct PgnDifference {
  std::size_t game = 0;  // 1-based
  PgnAspect aspect = PgnAspect::Unknown;
  std::string text;  // what both sides have
};

struct PgnCompareOptions {
  // The reference was printed by Scid, and what scidfs does better on purpose is no difference:
  //  - `"` and `\` are escaped in our tag values, not in Scid's
  //  - an empty roster name of Scid's is our "?"
  //  - we write SetUp "1" beside every FEN
  //  - stray bytes are Windows-1252 in ours; Scid prints them raw or as U+0080 .. U+009F
  //  - a control character is a blank in ours
  //  - an empty variation is none in ours
  bool scid = false;
  // The first differences are enough.
  std::size_t limit = 20;
};

// What differs between two games, in tags (as a multiset), main line, structure of variations, NAGs
// and comments with their places (white space folded), result, printed move numbers where both have
// one. Layout does not count. The differences have game number 0.
std::vector<PgnDifference> compare_games(const PgnGame& ours, const PgnGame& reference,
                                         const PgnCompareOptions& options = {});

// The same for all games of two texts. Games are matched by their order.
std::vector<PgnDifference> compare_pgn(std::string_view ours, std::string_view reference,
                                       const PgnCompareOptions& options = {});

// For messages of GoogleTest.
std::ostream& operator<<(std::ostream& out, PgnAspect aspect);
std::ostream& operator<<(std::ostream& out, const PgnDifference& difference);

}  // namespace scidfs::tests
