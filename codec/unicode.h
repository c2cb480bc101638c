// Letters beyond ASCII: case, accents and width, as Unicode has them (utf8proc).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scidfs::codec {

// Whether a byte of UTF-8 goes on with a character that began before it.
constexpr bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

// A capital of ASCII as a small letter, any other byte as it is.
constexpr char to_ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// The text by which names are compared that differ in nothing but case, or in how an accent is
// written: folded by full case folding and decomposed ("Straße" and "STRASSE" are one name). ASCII
// costs no more than a look at each byte; where bytes are no UTF-8, only ASCII is folded.
std::string fold_case(std::string_view text);
void fold_case_in_place(std::string& text);

// A letter without its accents, of "ů" the "u"; what has none as it is, and 0 for what is nothing
// but an accent. Strokes through a letter ("ł", "ø") are no accents to Unicode and stay.
char32_t without_accents(char32_t letter);

// Whether it is a letter, a digit or another number: what words are made of.
bool is_letter_or_digit(char32_t character);

// How many columns of a terminal it takes, as wcwidth() has it: 2 for wide ones (CJK, emoji), 0 for
// what stands on the one before it (combining accents) or is not seen.
std::size_t columns_of(char32_t character);

}  // namespace scidfs::codec
