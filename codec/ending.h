// Endings of file names: ".si4", in lower case or, as FAT and DOS write them, in upper case.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "codec/unicode.h"

namespace scidfs::codec {

// Returns a lower-case ASCII letter in upper case, any other byte unchanged.
constexpr char to_ascii_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
}

// Returns the text with its ASCII letters in lower case, all other bytes unchanged.
inline std::string in_small_letters(std::string_view text) {
  std::string small(text);
  std::ranges::transform(small, small.begin(), to_ascii_lower);
  return small;
}

// Returns whether a file name ends with `ending`, in any case. `ending` is in lower case.
constexpr bool has_ending(std::string_view name, std::string_view ending) {
  if (name.size() < ending.size()) return false;
  name.remove_prefix(name.size() - ending.size());
  for (std::size_t i = 0; i < ending.size(); ++i) {
    if (to_ascii_lower(name[i]) != ending[i]) return false;
  }
  return true;
}

}  // namespace scidfs::codec
