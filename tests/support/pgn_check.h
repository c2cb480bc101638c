// What every PGN text of scidfs keeps, whatever the game holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// Faults of the text of one game or of several: not valid UTF-8, control characters, trailing
// blanks, lines longer than `width` (0: any) that could have been broken, lines of a comment that
// look like a tag or an escape, a move number cut from its move, bad tags, the roster not in order,
// brackets or comments not closed, empty variations, a result missing or other than the tag's,
// empty lines at the wrong places.
std::vector<std::string> pgn_faults(std::string_view text, unsigned width = 80);

// PGN text cut into games.
std::vector<std::string> cut_games(std::string_view text);

// How many characters a UTF-8 text has.
std::size_t count_characters(std::string_view text);

}  // namespace scidfs::tests
