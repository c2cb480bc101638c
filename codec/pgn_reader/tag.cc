#include "codec/pgn_reader/tag.h"

#include <algorithm>
#include <array>

#include "codec/text_blocks.h"

namespace scidfs::codec::pgn_reader {
namespace {

constexpr std::array<bool, 256> kInNames = [] {
  std::array<bool, 256> in_names{};
  for (std::size_t c = ' ' + 1; c < in_names.size(); ++c) {
    in_names[c] = c != '"' && c != ']' && c != '[';
  }
  return in_names;
}();

constexpr bool is_in_name(char c) { return kInNames[static_cast<unsigned char>(c)]; }

std::size_t skip_in_line(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at]) && text[at] != '\n') ++at;
  return at;
}

// Returns the place of a character; of the end of the line if it is not there. Looks no further, so
// that a text of many such lines takes time in proportion.
std::size_t find_in_line(std::string_view text, std::size_t at, char c) {
  const std::string_view rest = text.substr(at);
  return at + std::min(rest.size(), internal::scan(
                                        rest,
                                        [c](internal::TextBlock block) {
                                          return (block == c) | (block == '\n');
                                        },
                                        [](std::size_t, internal::TextBlock) {}));
}

std::string_view trim_in_line(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Returns whether a backslash escapes the character at `at`.
bool is_escaped(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin != 0 && text[begin - 1] == '\\') --begin;
  return (at - begin) % 2 != 0;
}

bool has_at(std::string_view text, std::size_t at, char c) {
  return at < text.size() && text[at] == c;
}

// Ends a value that begins after a quote: at the first quote that is not escaped and that a
// bracket follows. Returns the length of the tag.
std::size_t end_quoted(std::string_view text, std::size_t begin, std::string_view& value) {
  std::size_t at = find_in_line(text, begin, '"');
  for (; has_at(text, at, '"'); at = find_in_line(text, at + 1, '"')) {
    const std::size_t after = skip_in_line(text, at + 1);
    if (has_at(text, after, ']') && !is_escaped(text, at)) {
      value = text.substr(begin, at - begin);
      return after + 1;
    }
  }
  // Bracket or quote is missing.
  value = trim_in_line(text.substr(begin, at - begin));
  if (value.ends_with(']')) value.remove_suffix(1);
  if (value.ends_with('"')) value.remove_suffix(1);
  return at;
}

// Takes a tag that is written as the standard has it, `[Name "value"]`, in ASCII without escapes,
// as most are. Returns whether it is one; false, too, within a block of the end of the text.
bool take_clean_tag(std::string_view text, RawTag& tag) {
  if (text.size() < 1 + kTextBlock) return false;
  const internal::TextBlock first = internal::load_block(text.data() + 1);
  // Bytes beyond ASCII are negative.
  const internal::Matches ends_name((first <= ' ') | (first == '"') | (first == ']') |
                                    (first == '[') | (first == 0x7F));
  const std::size_t name = ends_name.first();
  const std::size_t begin = 1 + name + 2;
  if (name == 0 || begin > kTextBlock || text[begin - 2] != ' ' || text[begin - 1] != '"') {
    return false;
  }
  for (std::size_t at = begin; at + kTextBlock < text.size(); at += kTextBlock) {
    const internal::TextBlock block = internal::load_block(text.data() + at);
    const internal::Matches special(internal::special_in_tag(block));
    if (!special.any()) continue;
    const std::size_t end = at + special.first();
    if (text[end] != '"' || text[end + 1] != ']') return false;
    tag.name = text.substr(1, name);
    tag.value = text.substr(begin, end - begin);
    tag.length = end + 2;
    tag.is_clean = true;
    return true;
  }
  return false;
}

}  // namespace

RawTag parse_tag(std::string_view text) {
  RawTag tag;
  if (take_clean_tag(text, tag)) [[likely]]
    return tag;
  std::size_t at = skip_in_line(text, 1);
  const std::size_t name = at;
  while (at < text.size() && is_in_name(text[at])) ++at;
  tag.name = text.substr(name, at - name);
  at = skip_in_line(text, at);
  if (has_at(text, at, '"')) {
    tag.length = end_quoted(text, at + 1, tag.value);
    return tag;
  }
  const std::size_t end = find_in_line(text, at, ']');
  tag.value = trim_in_line(text.substr(at, end - at));
  tag.length = has_at(text, end, ']') ? end + 1 : end;
  return tag;
}

std::string_view first_tag(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[') return text.substr(at);
    if (c == '{') at = std::min(text.find('}', at), text.size() - 1);
    if (c == ';' || c == '%') at = std::min(text.find('\n', at), text.size() - 1);
  }
  return {};
}

std::string_view unescape_value(std::string_view value, std::string& room) {
  if (value.find('\\') == std::string_view::npos) return value;
  room.clear();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool escapes =
        value[i] == '\\' && i + 1 < value.size() && (value[i + 1] == '"' || value[i + 1] == '\\');
    room += value[escapes ? ++i : i];
  }
  return room;
}

bool looks_like_tag(std::string_view text) {
  const std::size_t name = skip_in_line(text, 1);
  std::size_t at = name;
  while (at < text.size() && is_in_name(text[at])) ++at;
  if (at == name || text[name] == '%') return false;
  if (text.substr(name, at - name) == "Event") return true;
  at = skip_in_line(text, at);
  return at < text.size() && text[at] == '"';
}

Result result_of_tag(std::string_view value) {
  if (value.starts_with("1-0")) return Result::WhiteWins;
  if (value.starts_with("0-1")) return Result::BlackWins;
  return value.starts_with("1/2") ? Result::Draw : Result::Unknown;
}

}  // namespace scidfs::codec::pgn_reader
