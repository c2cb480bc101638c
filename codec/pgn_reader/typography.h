// Blanks and signs beyond ASCII, which word processors and web pages put into PGN. Only what is not
// plain ASCII comes here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "codec/text.h"

namespace scidfs::codec::pgn_reader {

// The most bytes of a parting.
inline constexpr std::size_t kLongestParting = 3;

// Return the length of what parts words, at the front of a text and at its end: a blank of Unicode,
// also one without width (U+00A0, U+2009, U+200B, U+FEFF), or U+2026, which stands for dots; also
// the bytes of code pages for U+00A0 and U+2026. 0 if there is none.
inline std::size_t parting_at(std::string_view text);
inline std::size_t parting_before(std::string_view text);

// Returns the length of the character at the front of a text: of UTF-8, or of a byte that is none.
// REQUIRES: the text is not empty.
std::size_t character_length(std::string_view text);

// Returns a word of movetext in ASCII, as far as it can be: with `-` for any dash, `!!` for U+203C,
// `x`, `+` and letters for other signs and figurines, and without blanks, partings, and characters
// that are not seen. The page decodes what is no UTF-8. The rest is UTF-8.
std::string plain_word(std::string_view word, CodePage page);

// Returns the length of a result with blanks around its dash at the front of a text ("1 - 0"); 0 if
// there is none.
std::size_t spaced_result(std::string_view text);

// Returns whether a text has letters or digits, of any script. REQUIRES: UTF-8.
bool has_letters(std::string_view text);

// Returns a text without the signs before its first letter or digit. REQUIRES: UTF-8.
std::string_view without_leading_signs(std::string_view text);

// Return the same for texts with a byte beyond ASCII at that place.
std::size_t wide_parting_at(std::string_view text);
std::size_t wide_parting_before(std::string_view text);

inline std::size_t parting_at(std::string_view text) {
  return text.empty() || is_ascii(text.front()) ? 0 : wide_parting_at(text);
}
inline std::size_t parting_before(std::string_view text) {
  return text.empty() || is_ascii(text.back()) ? 0 : wide_parting_before(text);
}

}  // namespace scidfs::codec::pgn_reader
