#include "codec/scv/name.h"

#include <algorithm>
#include <cstdint>

#include "codec/scv/archive.h"
#include "codec/text.h"

namespace scidfs::codec::scv {
namespace {

// The limits of common file systems.
constexpr std::size_t kMaxComponent = 255;
constexpr std::size_t kMaxDepth = 32;

bool is_between(char32_t c, char32_t first, char32_t last) { return first <= c && c <= last; }

}  // namespace

std::string to_utf8(std::string_view bytes) {
  if (is_utf8(as_bytes(bytes))) return std::string(bytes);
  std::string text;
  for (const char byte : bytes) append_code_point(static_cast<std::uint8_t>(byte), text);
  return text;
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
  if (!is_utf8(as_bytes(name))) return false;
  for (std::string_view rest = name; !rest.empty();) {
    const char32_t c = take_code_point(rest);
    if (is_control(c) || turns_direction(c) || c == '\\' || c == ':' || c == '<' || c == '>')
      return false;
  }
  std::size_t depth = 0;
  while (true) {
    const std::size_t end = name.find('/');
    const std::string_view component = name.substr(0, end);
    if (component.empty() || component == "." || component == ".." ||
        component.size() > kMaxComponent || ++depth > kMaxDepth) {
      return false;
    }
    if (end == std::string_view::npos) return true;
    name.remove_prefix(end + 1);
  }
}

}  // namespace scidfs::codec::scv
