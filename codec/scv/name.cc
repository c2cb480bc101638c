#include "codec/scv/name.h"

#include <algorithm>
#include <cstdint>

#include "codec/scv/archive.h"
#include "codec/text.h"

namespace scidfs::codec::scv {
namespace {

// What a common file system takes.
constexpr std::size_t kMaxComponent = 255;
constexpr std::size_t kMaxDepth = 32;

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

void append_character(char32_t c, std::string& out) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0 | c >> 6);
    out += static_cast<char>(0x80 | (c & 0x3F));
  } else {
    out += static_cast<char>(0xE0 | c >> 12);
    out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (c & 0x3F));
  }
}

bool is_between(char32_t c, char32_t first, char32_t last) { return first <= c && c <= last; }

// Of two neighbours the second: capitals have even numbers, or odd ones where `odd`.
char32_t second_of_pair(char32_t c, bool odd) { return (c & 1) == (odd ? 1U : 0U) ? c + 1 : c; }

char32_t to_small(char32_t c) {
  if (is_between(c, 'A', 'Z')) return c + 0x20;
  if (c < 0xC0) return c;
  if (is_between(c, 0xC0, 0xDE)) return c == 0xD7 ? c : c + 0x20;
  if (c == 0x178) return 0xFF;
  if (is_between(c, 0x139, 0x148) || is_between(c, 0x179, 0x17E)) return second_of_pair(c, true);
  if (is_between(c, 0x100, 0x137) || is_between(c, 0x14A, 0x177)) return second_of_pair(c, false);
  if (is_between(c, 0x391, 0x3A9)) return c + 0x20;
  if (is_between(c, 0x400, 0x40F)) return c + 0x50;
  if (is_between(c, 0x410, 0x42F)) return c + 0x20;
  if (is_between(c, 0x460, 0x481) || is_between(c, 0x48A, 0x4BF)) return second_of_pair(c, false);
  if (is_between(c, 0x531, 0x556)) return c + 0x30;
  if (is_between(c, 0x1E00, 0x1E95) || is_between(c, 0x1EA0, 0x1EFF)) {
    return second_of_pair(c, false);
  }
  return c;
}

bool is_control(char32_t c) { return c < 0x20 || is_between(c, 0x7F, 0x9F); }

// Calls visit(character, its bytes) for each character of a UTF-8 text.
template <class Visit>
void for_each_character(std::string_view text, const Visit& visit) {
  while (!text.empty()) {
    const auto first = static_cast<std::uint8_t>(text[0]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    char32_t c = length == 1 ? first : first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
      c = c << 6 | (static_cast<std::uint8_t>(text[i]) & 0x3FU);
    }
    visit(c, text.substr(0, length));
    text.remove_prefix(length);
  }
}

}  // namespace

std::string to_utf8(std::string_view bytes) {
  if (is_utf8(bytes_of(bytes))) return std::string(bytes);
  std::string text;
  for (const char byte : bytes) append_character(static_cast<std::uint8_t>(byte), text);
  return text;
}

std::string fold_case(std::string_view text) {
  std::string folded;
  for_each_character(text, [&folded](char32_t c, std::string_view bytes) {
    const char32_t small = to_small(c);
    if (small == c) {
      folded += bytes;
    } else {
      append_character(small, folded);
    }
  });
  return folded;
}

bool is_url(std::string_view name) {
  const std::size_t end = name.find("://");
  if (end == std::string_view::npos || end == 0) return false;
  return std::ranges::all_of(name.substr(0, end), [](char c) {
    return is_between(static_cast<std::uint8_t>(c | 0x20), 'a', 'z') || is_between(c, '0', '9') ||
           c == '+' || c == '-' || c == '.';
  });
}

std::string_view last_component(std::string_view name) {
  return name.substr(name.find_last_of('/') + 1);
}

bool is_safe_name(std::string_view name) {
  if (!is_utf8(bytes_of(name))) return false;
  bool is_safe = true;
  for_each_character(name, [&is_safe](char32_t c, std::string_view) {
    if (is_control(c) || c == '\\' || c == ':' || c == '<' || c == '>') is_safe = false;
  });
  std::size_t depth = 0;
  while (is_safe) {
    const std::size_t end = name.find('/');
    const std::string_view component = name.substr(0, end);
    if (component.empty() || component == "." || component == ".." ||
        component.size() > kMaxComponent || ++depth > kMaxDepth) {
      is_safe = false;
    }
    if (end == std::string_view::npos) break;
    name.remove_prefix(end + 1);
  }
  return is_safe;
}

}  // namespace scidfs::codec::scv
