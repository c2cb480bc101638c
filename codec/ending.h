// Endings of names of files: ".si4", in small letters or, as FAT and DOS write them, in capitals.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "codec/unicode.h"

namespace scidfs::codec {

// A small letter of ASCII as a capital, any other byte as it is.
constexpr char to_ascii_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

// The capitals of ASCII as small letters, all other bytes as they are.
inline std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), to_ascii_lower);
  return small;
}

// Whether the name of a file ends with this, in whatever capitals. `ending` has none.
constexpr bool has_ending(std::string_view name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  name.remove_prefix(name.size() - ending.size());
  for (std::size_t i = 0; i < ending.size(); ++i) {
    if (to_ascii_lower(name[i]) != ending[i]) return false;
  }
  return true;
}

}  // namespace scidfs::codec
