#include "codec/pgn_reader/clean_text.h"

#include <algorithm>

#include "codec/text_blocks.h"

namespace scidfs::codec::pgn_reader {
namespace {

// Returns whether a text is ASCII without control characters.
bool is_simple(std::string_view text) {
  const auto special = [](internal::TextBlock block) { return (block < ' ') | (block == 0x7F); };
  return internal::scan(text, special, [](std::size_t, internal::TextBlock) {}) >= text.size();
}

constexpr bool is_line_end(char c) { return c == '\n' || c == '\r'; }

}  // namespace

std::string_view clean_comment(std::string_view text, CodePage page, std::string& room) {
  text = trim(text);
  if (is_simple(text)) return text;
  room.clear();
  append_utf8(as_bytes(text), room, page);
  auto out = room.begin();
  for (auto in = room.begin(); in != room.end(); ++in) {
    if (!is_ascii_control(*in) || *in == '\t') {
      *out++ = *in;
    } else if (!is_line_end(*in)) {
      *out++ = ' ';
    } else if (out != room.begin() && out[-1] != ' ' && in + 1 != room.end() && in[1] != ' ') {
      *out++ = ' ';
    }
  }
  room.erase(out, room.end());
  return trim(room);
}

std::string_view clean_value(std::string_view text, CodePage page, std::string& room) {
  if (is_simple(text)) return text;
  std::string clean;
  append_utf8(as_bytes(text), clean, page);
  std::ranges::replace_if(clean, is_ascii_control, ' ');
  room = std::move(clean);
  return room;
}

}  // namespace scidfs::codec::pgn_reader
