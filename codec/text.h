// Text from databases: bytes without a mark of encoding (scid/FORMAT.md, section 8). Text that
// leaves scidfs is always valid UTF-8.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

// What a code page makes of bytes beyond ASCII.
struct PageTable {
  static constexpr char32_t kPair = 0;     // the byte begins a pair
  static constexpr char32_t kHole = 0x20;  // the page has no character there

  std::uint16_t number = 0;                // of the page
  std::array<char32_t, 128> characters{};  // by byte, from 0x80 on
  // Of pairs: the second byte counts from 0, the first one from 0x80 by steps of 256. Empty if the
  // page has none.
  std::vector<char32_t> pairs{};
};

// The meaning of bytes in a text that is not UTF-8.
class CodePage {
 public:
  // The numbers of the pages that are built in.
  enum BuiltIn : std::uint16_t { Windows1251 = 1251, Windows1252 = 1252, Utf8 = 65001 };

  constexpr CodePage(BuiltIn page) : number_(page) {}
  // `table` outlives all copies.
  explicit constexpr CodePage(const PageTable* table) : number_(table->number), table_(table) {}

  constexpr std::uint16_t number() const { return number_; }
  // Returns null for a page that is built in.
  constexpr const PageTable* table() const { return table_; }

  friend constexpr bool operator==(CodePage one, CodePage other) {
    return one.number_ == other.number_;
  }

 private:
  std::uint16_t number_;
  const PageTable* table_ = nullptr;
};

// Returns the character of a byte: a blank where the page has a hole, or a pair begins.
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
// are appended for each byte. With any page but Windows-1252, where pairs of letters look like
// sequences, the code page decodes every byte unless the whole text is valid.
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
