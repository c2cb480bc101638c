// Text from databases: bytes without a mark of encoding (scid/FORMAT.md, section 8). Text that
// leaves scidfs is always valid UTF-8.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "codec/bytes.h"

namespace scidfs::codec {

// Returns the bytes unchanged, as characters. The view is valid as long as the bytes.
inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Returns the characters unchanged, as bytes. The view is valid as long as the text.
inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

inline constexpr bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Returns whether terminals or readers of lines take a character for a command or for the end of a
// line: C0, DEL, C1 (U+0080 to U+009F), U+2028 and U+2029. No text of scidfs shows one.
constexpr bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
}

// Returns the same for a byte of a text: a byte beyond ASCII is none.
constexpr bool is_ascii_control(char c) {
  return is_ascii(c) && is_control(static_cast<unsigned char>(c));
}

// Returns whether a character turns the direction of the text after it (U+202A to U+202E, U+2066 to
// U+2069). Texts keep such characters, since their effect ends with the line; file names do not.
constexpr bool turns_direction(char32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// What C calls white space in ASCII.
inline constexpr std::string_view kWhiteSpace = " \t\r\n\f\v";

// Returns the text without the white space at its start.
constexpr std::string_view trim_left(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
  return text;
}

// Returns the text without the white space at both ends.
constexpr std::string_view trim(std::string_view text) {
  text = trim_left(text);
  return text.substr(0, text.find_last_not_of(kWhiteSpace) + 1);
}

// The meaning of single bytes in a text that is not UTF-8.
enum class CodePage : std::uint8_t { Windows1252, Windows1251, Utf8 };

// Returns the character of a byte: a blank where the page has a hole.
char32_t code_point_of(std::uint8_t byte, CodePage page);

// Returns whether `bytes` is valid UTF-8 (no surrogates, no overlong forms, nothing above
// U+10FFFF).
bool is_utf8(Bytes bytes);

// Returns whether append_utf8() leaves `bytes` unchanged: valid UTF-8 without control characters
// beyond ASCII.
bool is_clean_utf8(Bytes bytes);

// Appends `bytes` to `out` as valid UTF-8. Valid sequences stay as they are; the code page decodes
// each byte that is not part of one. Control characters beyond ASCII, and bytes in the holes of the
// page, become one blank each; control characters of ASCII pass through unchanged. At most 3 bytes
// are appended for each byte. With Windows-1251, where pairs of letters look like sequences, the
// code page decodes every byte unless the whole text is valid.
void append_utf8(Bytes bytes, std::string& out, CodePage page = CodePage::Windows1252);

// Appends a character as UTF-8. REQUIRES: code <= U+10FFFF.
void append_code_point(char32_t code, std::string& out);

// Removes the first character from `text` and returns it. REQUIRES: valid UTF-8, not empty.
char32_t take_code_point(std::string_view& text);

// Returns one line of clean UTF-8 from the bytes of a name or a tag value: cut at the first NUL,
// repaired as above, each control character a blank.
std::string clean_line(Bytes bytes, CodePage page = CodePage::Windows1252);
inline std::string clean_line(std::string_view text, CodePage page = CodePage::Windows1252) {
  return clean_line(as_bytes(text), page);
}

// Returns the text as far as it has at most `most` bytes, cut before a character.
std::string_view cut_utf8(std::string_view text, std::size_t most);

// Returns the text with `"` and `\` escaped by `\`, as PGN requires inside a tag value.
std::string pgn_escape(std::string_view text);

}  // namespace scidfs::codec
