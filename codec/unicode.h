// Letters beyond ASCII: case, accents and width, as Unicode has them (utf8proc).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scidfs::codec {

// Returns whether a byte of UTF-8 continues a character that began before it.
constexpr bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// Returns an upper-case ASCII letter in lower case, any other byte unchanged.
constexpr char to_ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// Returns the text by which names are compared that differ only in case, or in how an accent is
// written: folded by full case folding and decomposed ("Straße" and "STRASSE" are one name). ASCII
// costs only a look at each byte; where bytes are not UTF-8, only ASCII is folded.
std::string fold_case(std::string_view text);
void fold_case_in_place(std::string& text);

// Returns a letter without its accents: "u" for "ů". Returns a character without accents unchanged,
// and 0 for a character that is only an accent. Strokes through a letter ("ł", "ø") are no accents
// in Unicode and stay.
char32_t without_accents(char32_t letter);

// Returns whether a character is a letter, a digit or another number: a part of a word.
bool is_letter_or_digit(char32_t character);

// Returns how many columns of a terminal a character takes, as wcwidth() does: 2 for wide ones
// (CJK, emoji), 0 for characters that combine with the one before (accents) or are invisible.
std::size_t columns_of(char32_t character);

}  // namespace scidfs::codec
