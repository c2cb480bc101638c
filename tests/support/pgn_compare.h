// Compares the meaning of two PGN texts game by game.
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
  std::string text;  // texts of both sides
};

struct PgnCompareOptions {
  // Scid has printed the reference, and intended improvements of scidfs are not reported:
  //  - `"` and `\` are escaped in our tag values, not in Scid's
  //  - an empty roster name of Scid's is our "?"
  //  - we write SetUp "1" with every FEN
  //  - stray bytes are Windows-1252 in ours; Scid prints them raw or as U+0080 .. U+009F
  //  - a control character is a blank in ours
  //  - an empty variation is omitted in ours
  bool scid = false;
  // Reports at most so many differences.
  std::size_t limit = 20;
};

// Differences between two games in tags (as a multiset), main line, structure of variations, NAGs
// and comments with their places (white space folded), result, and move numbers if both print one.
// Ignores layout. The differences have game number 0.
std::vector<PgnDifference> compare_games(const PgnGame& ours, const PgnGame& reference,
                                         const PgnCompareOptions& options = {});

// The same for all games of two texts. Games are matched by their order.
std::vector<PgnDifference> compare_pgn(std::string_view ours, std::string_view reference,
                                       const PgnCompareOptions& options = {});

// For messages of GoogleTest.
std::ostream& operator<<(std::ostream& out, PgnAspect aspect);
std::ostream& operator<<(std::ostream& out, const PgnDifference& difference);

}  // namespace scidfs::tests
