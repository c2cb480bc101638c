// Text written into room that the caller has made. Each function returns the end of the text.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace scidfs::codec {

inline constexpr std::size_t kMaxDigits = 10;  // of a number of 32 bits

inline char* write_text(std::string_view text, char* out) {
  return std::copy(text.begin(), text.end(), out);
}

// Writes `value` in at most kMaxDigits decimal digits.
inline char* write_number(std::uint32_t value, char* out) {
  return std::to_chars(out, out + kMaxDigits, value).ptr;
}

}  // namespace scidfs::codec
