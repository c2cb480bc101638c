// Checks rules that every PGN text of scidfs follows, for any game.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scidfs::tests {

// Faults of the text of one game or of several: invalid UTF-8, control characters, trailing blanks,
// lines longer than `width` (0: any) with a possible line break, lines of a comment that look like
// a tag or an escape, a move number separated from its move, bad tags, roster tags out of order,
// unclosed brackets or comments, empty variations, a result that is missing or differs from the
// tag, misplaced empty lines.
std::vector<std::string> pgn_faults(std::string_view text, unsigned width = 80);

// Splits PGN text into games.
std::vector<std::string> cut_games(std::string_view text);

// Returns the number of characters of a UTF-8 text.
std::size_t count_characters(std::string_view text);

}  // namespace scidfs::tests
