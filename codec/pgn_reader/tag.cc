#include "codec/pgn_reader/tag.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <initializer_list>

#include "codec/pgn_reader/typography.h"
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
  while (at < text.size()) {
    const bool is_blank = is_space(text[at]) && text[at] != '\n';
    const std::size_t step = is_blank ? 1 : parting_at(text.substr(at));
    if (step == 0) break;
    at += step;
  }
  return at;
}

std::size_t skip_lines(std::string_view text, std::size_t at) {
  while (true) {
    at = skip_in_line(text, at);
    if (at == text.size() || text[at] != '\n') return at;
    ++at;
  }
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

// Returns whether a text ends there, or in what may be a character that parts words.
bool may_be_cut(std::string_view text, std::size_t at) {
  return at == text.size() || (!is_ascii(text[at]) && text.size() - at < kLongestParting);
}

// The words before the value of a tag.
struct TagHead {
  std::size_t name = 0;
  std::size_t name_end = 0;
  std::size_t value = 0;  // where the value begins, or its quote
  bool is_open = false;   // whether more text could tell otherwise
};

using Skip = std::size_t(std::string_view text, std::size_t at);

TagHead head_of(std::string_view text, Skip& skip) {
  TagHead head;
  head.name = head.name_end = skip(text, 1);
  while (head.name_end < text.size() && is_in_name(text[head.name_end])) {
    const std::string_view rest = text.substr(head.name_end);
    if (parting_at(rest) != 0) break;
    head.name_end += is_ascii(rest.front()) ? 1 : character_length(rest);
  }
  head.value = skip(text, head.name_end);
  head.is_open = may_be_cut(text, head.value);
  return head;
}

// Returns the head as it is on one line; with line ends if a quote follows it only then.
TagHead find_head(std::string_view text) {
  TagHead head = head_of(text, skip_in_line);
  if (!has_at(text, head.value, '\n')) return head;
  const TagHead in_lines = head_of(text.substr(0, kTagBeginning), skip_lines);
  const bool has_name = in_lines.name != in_lines.name_end && text[in_lines.name] != '%';
  if (has_name && has_at(text, in_lines.value, '"')) return in_lines;
  head.is_open = in_lines.is_open && text.size() < kTagBeginning;
  return head;
}

// Ends a value that begins after a quote: at the first quote that is not escaped and that a
// bracket follows.
void end_quoted(std::string_view text, std::size_t begin, RawTag& tag) {
  std::size_t at = find_in_line(text, begin, '"');
  for (; has_at(text, at, '"'); at = find_in_line(text, at + 1, '"')) {
    const std::size_t after = skip_lines(text, at + 1);
    if (has_at(text, after, ']') && !is_escaped(text, at)) {
      tag.value = text.substr(begin, at - begin);
      tag.length = after + 1;
      return;
    }
    tag.is_open |= may_be_cut(text, after);
  }
  // Bracket or quote is missing.
  std::string_view value = trim_in_line(text.substr(begin, at - begin));
  if (value.ends_with(']')) value.remove_suffix(1);
  if (value.ends_with('"')) value.remove_suffix(1);
  tag.value = value;
  tag.length = at;
  tag.is_open |= at == text.size();
}

// Returns the value without quotes as word processors make them, if it has any.
std::string_view without_quotes(std::string_view value) {
  for (const std::string_view quote : {"“", "”", "„"}) {
    if (!value.starts_with(quote)) continue;
    value.remove_prefix(quote.size());
    if (value.ends_with("“") || value.ends_with("”")) value.remove_suffix(quote.size());
    return value;
  }
  return value;
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
  assert(text.starts_with('['));
  RawTag tag;
  if (take_clean_tag(text, tag)) [[likely]]
    return tag;
  const TagHead head = find_head(text);
  tag.name = text.substr(head.name, head.name_end - head.name);
  tag.is_open = head.is_open;
  if (has_at(text, head.value, '"')) {
    end_quoted(text, head.value + 1, tag);
    return tag;
  }
  const std::size_t end = find_in_line(text, head.value, ']');
  tag.value = without_quotes(trim_in_line(text.substr(head.value, end - head.value)));
  tag.length = has_at(text, end, ']') ? end + 1 : end;
  tag.is_open |= end == text.size();
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

bool is_first_in_line(std::string_view text, std::size_t at) {
  while (!begins_line(text, at)) {
    const std::size_t step = is_space(text[at - 1]) ? 1 : parting_before(text.substr(0, at));
    if (step == 0) return false;
    at -= step;
  }
  return true;
}

TagLook look_of_tag(std::string_view text) {
  const std::string_view beginning = text.substr(0, kTagBeginning);
  const TagHead head = find_head(beginning);
  const bool is_whole = beginning.size() == kTagBeginning;
  if (head.name == head.name_end || beginning[head.name] == '%') {
    return {.is_tag = false, .is_open = head.is_open && !is_whole};
  }
  const bool is_event = beginning.substr(head.name, head.name_end - head.name) == "Event";
  return {.is_tag = is_event || has_at(beginning, head.value, '"'),
          .is_open = head.is_open && !is_whole};
}

Result result_of_tag(std::string_view value) {
  const auto begins = [&value](std::initializer_list<std::string_view> texts) {
    return std::ranges::any_of(texts,
                               [&](std::string_view text) { return value.starts_with(text); });
  };
  if (begins({"1-0"})) return Result::WhiteWins;
  if (begins({"0-1"})) return Result::BlackWins;
  if (begins({"1/2"})) return Result::Draw;
  if (value.size() < 2) return Result::Unknown;
  const std::string plain = plain_word(value, CodePage::Windows1252);
  value = plain;
  if (begins({"1-0", "1:0"})) return Result::WhiteWins;
  if (begins({"0-1", "0:1"})) return Result::BlackWins;
  const bool is_draw = begins({"1/2", "½", "0.5-0.5", "0,5-0,5", ".5-.5"});
  return is_draw ? Result::Draw : Result::Unknown;
}

}  // namespace scidfs::codec::pgn_reader
