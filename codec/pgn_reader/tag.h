// The tags of a game as files have them: the standard's `[Name "value"]`, and what programs make of
// it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "codec/types.h"

namespace scidfs::codec::pgn_reader {

// Returns whether a character separates words: a blank, or a control character.
constexpr bool is_space(char c) { return static_cast<unsigned char>(c) <= ' '; }

// Return whether a character is at the beginning of a line, and whether only blanks are before it.
inline bool begins_line(std::string_view text, std::size_t at) {
  return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r';
}
bool is_first_in_line(std::string_view text, std::size_t at);

// The part of a text that tells a tag from other text: the tag's name, and the quote after it.
inline constexpr std::size_t kTagBeginning = 256;

// A tag as it is written. Views into the text.
struct RawTag {
  std::string_view name;   // empty if there is none
  std::string_view value;  // with its escapes
  std::size_t length = 0;  // of the tag in the text, without a line end
  bool is_clean =
      false;             // whether both are known to be ASCII without control characters or escapes
  bool is_open = false;  // whether more text could make another tag of it
};

// Parses the tag at the front of a text. The value is what is between the first quote and the last
// one before the tag's bracket, so that it may contain quotes; quotes and the bracket may be
// missing. A tag ends with its line at the latest, unless it has a name, quotes and bracket, and
// line ends are only between them (within kTagBeginning bytes before the first quote). Blanks are
// those of Unicode, too. REQUIRES: the text begins with `[`.
RawTag parse_tag(std::string_view text);

// Returns a text that is all tags, comments and escaped lines from its first tag on; an empty one
// if it has none.
std::string_view first_tag(std::string_view text);

// Returns the value without the escapes of `"` and `\`; uses `room` if there are any.
std::string_view unescape_value(std::string_view value, std::string& room);

// Whether a text that begins with `[` is a tag rather than a word of movetext: it has a name and a
// quote, or is an Event without quotes.
struct TagLook {
  bool is_tag = false;
  bool is_open = false;  // whether more text could tell otherwise
};
TagLook look_of_tag(std::string_view text);

// Returns the result that a Result tag names, also with more text after it ("1/2", "0-1 forfeit",
// "½-½", "0.5-0.5", "1 - 0"); Unknown if there is none.
Result result_of_tag(std::string_view value);

}  // namespace scidfs::codec::pgn_reader
