#include "codec/text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace scidfs::codec {
namespace {

// Windows-1252 for the bytes 80..9F; its holes 81 8D 8F 90 9D as in Latin-1.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

// Number of ASCII bytes at the front.
std::size_t ascii_length(Bytes bytes) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  std::size_t i = 0;
  for (std::uint64_t block = 0; i + sizeof block <= bytes.size(); i += sizeof block) {
    std::memcpy(&block, bytes.data() + i, sizeof block);
    if ((block & kHighBits) != 0) break;
  }
  while (i < bytes.size() && bytes[i] < 0x80) ++i;
  return i;
}

// Length of the valid sequence of more than one byte at the front; 0 if there is none.
std::size_t sequence_length(Bytes bytes) {
  const std::uint8_t lead = bytes[0];
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (bytes.size() < length) return 0;
  // What the second byte must not be: overlong, a surrogate, above U+10FFFF.
  const std::uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const std::uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (bytes[1] < low || bytes[1] > high) return 0;
  for (const std::uint8_t byte : bytes.subspan(2, length - 2)) {
    if ((byte & 0xC0) != 0x80) return 0;
  }
  return length;
}

// REQUIRES: byte >= 0x80.
void append_single(std::uint8_t byte, std::string& out) {
  const unsigned code = byte < 0xA0 ? kWindows1252[byte - 0x80u] : byte;
  if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
  } else {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
  }
  out += static_cast<char>(0x80 | (code & 0x3F));
}

}  // namespace

bool is_utf8(Bytes bytes) {
  for (;;) {
    bytes = bytes.subspan(ascii_length(bytes));
    if (bytes.empty()) return true;
    const std::size_t length = sequence_length(bytes);
    if (length == 0) return false;
    bytes = bytes.subspan(length);
  }
}

void append_utf8(Bytes bytes, std::string& out) {
  for (;;) {
    const std::size_t plain = ascii_length(bytes);
    out += as_text(bytes.first(plain));
    bytes = bytes.subspan(plain);
    if (bytes.empty()) return;
    const std::size_t length = sequence_length(bytes);
    if (length == 0) {
      append_single(bytes[0], out);
      bytes = bytes.subspan(1);
    } else {
      out += as_text(bytes.first(length));
      bytes = bytes.subspan(length);
    }
  }
}

std::string clean_line(Bytes bytes) {
  std::string line;
  append_utf8(bytes.first(std::min(bytes.size(), as_text(bytes).find('\0'))), line);
  for (char& c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = ' ';
  }
  return line;
}

std::string pgn_escape(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    if (c == '"' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace scidfs::codec
