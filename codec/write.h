// Text written into room that somebody has made. Each function returns where it ended.
#pragma once

#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace scidfs::codec {

inline constexpr std::size_t kMaxDigits = 10;  // of a number of 32 bits

inline char* write_text(std::string_view text, char* out) {
  std::memcpy(out, text.data(), text.size());
  return out + text.size();
}

// In decimal digits, at most kMaxDigits.
inline char* write_number(std::uint32_t value, char* out) {
  return std::to_chars(out, out + kMaxDigits, value).ptr;
}

}  // namespace scidfs::codec
