#include "fs/search/facet_value.h"

#include <fmt/format.h>

#include "codec/number.h"
#include "codec/text.h"

namespace scidfs::fs {

std::optional<std::string> unescape_value(std::string_view value, bool wildcards) {
  std::string text;
  text.reserve(value.size());
  while (!value.empty()) {
    char c = value[0];
    bool is_wildcard = false;
    if (c == '%') {
      const std::string_view digits = value.substr(1, 2);
      const auto byte = codec::parse_number<unsigned char>(digits, 16);
      if (digits.size() != 2 || !byte.has_value()) return std::nullopt;
      c = static_cast<char>(*byte);
      value.remove_prefix(2);
    } else if (c == '_') {
      c = ' ';
    } else if (wildcards && (c == '*' || c == '?')) {
      c = c == '*' ? kAnyCharacters : kAnyCharacter;
      is_wildcard = true;
    }
    text += codec::is_ascii_control(c) && !is_wildcard ? ' ' : c;
    value.remove_prefix(1);
  }
  return text;
}

std::string escape_value(std::string_view text) {
  std::string value;
  value.reserve(text.size());
  for (const char c : text) {
    if (c == kAnyCharacters) {
      value += '*';
    } else if (c == kAnyCharacter) {
      value += '?';
    } else if (c == ' ' && !value.empty()) {
      value += '_';
    } else if (std::string_view(" %_*?/~").find(c) != std::string_view::npos ||
               codec::is_ascii_control(c)) {
      value += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      value += c;
    }
  }
  return value;
}

}  // namespace scidfs::fs
