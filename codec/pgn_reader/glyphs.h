// The words of movetext that are no moves: annotation glyphs, null moves, results, and words that
// say nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "codec/types.h"

namespace scidfs::codec::pgn_reader {

// Returns the NAG of a glyph: those that Scid reads ("+=", "~", "N", "D", "RR"), and the signs that
// books print ("±", "∞"). Of a run of `!` and `?`, as Scid does, the first two count.
std::optional<std::uint8_t> nag_of_glyph(std::string_view word);

// Returns whether a word is a null move: "--", "Z0", "null", "pass", "@@@@", "0000". It may have
// check marks, since positions in which both kings are in check are found, too: "--+" is no glyph.
bool is_null_move(std::string_view word);

// Returns the result of a word of ASCII and "½": "1-0", "1:0", "1/2", "½-½", ... Of "0.5-0.5" the
// word is what follows the first dot.
std::optional<Result> result_of_word(std::string_view word);

// Returns whether a word adds nothing to the move before it: check marks, "e.p.", "ch", "mate".
bool says_nothing(std::string_view word);

}  // namespace scidfs::codec::pgn_reader
