#include "codec/text.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

namespace scidfs::codec {
namespace {

// Windows-1252 for the bytes 80..9F; its holes 81 8D 8F 90 9D are blanks.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0x0020, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x0020, 0x017D, 0x0020, 0x0020, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x0020, 0x017E, 0x0178};

// Windows-1251 for the bytes 80..BF, with a hole at 98; C0..FF are the letters from U+0410 on.
constexpr std::array<char16_t, 64> kWindows1251 = {
    0x0402, 0x0403, 0x201A, 0x0453, 0x201E, 0x2026, 0x2020, 0x2021, 0x20AC, 0x2030, 0x0409,
    0x2039, 0x040A, 0x040C, 0x040B, 0x040F, 0x0452, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x0020, 0x2122, 0x0459, 0x203A, 0x045A, 0x045C, 0x045B, 0x045F, 0x00A0,
    0x040E, 0x045E, 0x0408, 0x00A4, 0x0490, 0x00A6, 0x00A7, 0x0401, 0x00A9, 0x0404, 0x00AB,
    0x00AC, 0x00AD, 0x00AE, 0x0407, 0x00B0, 0x00B1, 0x0406, 0x0456, 0x0491, 0x00B5, 0x00B6,
    0x00B7, 0x0451, 0x2116, 0x0454, 0x00BB, 0x0458, 0x0405, 0x0455, 0x0457};

// Returns the number of ASCII bytes at the front.
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

// Returns the length of the valid sequence of more than one byte at the front; 0 if there is none.
std::size_t sequence_length(Bytes bytes) {
  const std::uint8_t lead = bytes[0];
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (bytes.size() < length) return 0;
  // Excludes second bytes of overlong forms, surrogates, and code points above U+10FFFF.
  const std::uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const std::uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (bytes[1] < low || bytes[1] > high) return 0;
  for (const std::uint8_t byte : bytes.subspan(2, length - 2)) {
    if ((byte & 0xC0) != 0x80) return 0;
  }
  return length;
}

// Returns whether a sequence is a control character. REQUIRES: valid, of more than one byte.
bool is_control_sequence(Bytes sequence) {
  assert(sequence.size() > 1);
  switch (sequence[0]) {
    case 0xC2:
      return is_control(sequence[1]);
    case 0xE2:
      return sequence[1] == 0x80 && is_control(0x2000U | (sequence[2] & 0x3FU));
    default:
      return false;
  }
}

// Returns whether all of `bytes` is ASCII and valid sequences that are `good`.
template <class Good>
bool consists_of(Bytes bytes, Good&& good) {
  for (;;) {
    bytes = bytes.subspan(ascii_length(bytes));
    if (bytes.empty()) return true;
    const std::size_t length = sequence_length(bytes);
    if (length == 0 || !good(bytes.first(length))) return false;
    bytes = bytes.subspan(length);
  }
}

// Takes the first character from bytes, each of which the page decodes.
char32_t take_by_page(Bytes& bytes, CodePage page) {
  const std::uint8_t first = bytes[0];
  bytes = bytes.subspan(1);
  const PageTable* const table = page.table();
  const bool is_pair = table != nullptr && first >= 0x80 && !bytes.empty() &&
                       table->characters[first - 0x80u] == PageTable::kPair;
  if (!is_pair) return code_point_of(first, page);
  const char32_t code = table->pairs[(first - 0x80u) * 256 + bytes[0]];
  // Half a pair takes no more than itself with it.
  if (code != PageTable::kHole) bytes = bytes.subspan(1);
  return code;
}

}  // namespace

char32_t code_point_of(std::uint8_t byte, CodePage page) {
  if (byte < 0x80) return byte;
  if (const PageTable* const table = page.table(); table != nullptr) {
    const char32_t code = table->characters[byte - 0x80u];
    return code == PageTable::kPair ? PageTable::kHole : code;
  }
  if (page != CodePage::Windows1251) return byte < 0xA0 ? kWindows1252[byte - 0x80u] : byte;
  return byte < 0xC0 ? kWindows1251[byte - 0x80u] : byte - 0xC0u + 0x410u;
}

bool is_utf8(Bytes bytes) {
  return consists_of(bytes, [](Bytes) { return true; });
}

bool is_clean_utf8(Bytes bytes) {
  return consists_of(bytes, [](Bytes sequence) { return !is_control_sequence(sequence); });
}

void append_utf8(Bytes bytes, std::string& out, CodePage page) {
  if ((page == CodePage::Windows1251 || page.table() != nullptr) && !is_utf8(bytes)) {
    while (!bytes.empty()) append_code_point(take_by_page(bytes, page), out);
    return;
  }
  for (;;) {
    const std::size_t plain = ascii_length(bytes);
    out += as_text(bytes.first(plain));
    bytes = bytes.subspan(plain);
    if (bytes.empty()) return;
    const std::size_t length = sequence_length(bytes);
    if (length == 0) {
      append_code_point(code_point_of(bytes[0], page), out);
      bytes = bytes.subspan(1);
      continue;
    }
    const Bytes sequence = bytes.first(length);
    out += is_control_sequence(sequence) ? std::string_view(" ") : as_text(sequence);
    bytes = bytes.subspan(length);
  }
}

void append_code_point(char32_t code, std::string& out) {
  assert(code <= 0x10FFFF);
  const auto put = [&out](char32_t byte) { out += static_cast<char>(byte); };
  const auto follow = [&](unsigned shift) { put(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    follow(0);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    follow(6);
    follow(0);
  } else {
    put(0xF0 | code >> 18);
    follow(12);
    follow(6);
    follow(0);
  }
}

char32_t take_code_point(std::string_view& text) {
  assert(!text.empty());
  const auto byte = [&text](std::size_t i) -> char32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const char32_t lead = byte(0);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte(i) & 0x3F);
  text.remove_prefix(std::min(length, text.size()));
  return code;
}

std::string clean_line(Bytes bytes, CodePage page) {
  std::string line;
  append_utf8(bytes.first(std::min(bytes.size(), as_text(bytes).find('\0'))), line, page);
  for (char& c : line) {
    if (is_ascii_control(c)) c = ' ';
  }
  return line;
}

std::string_view cut_utf8(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  constexpr std::size_t kLongest = 4;  // bytes of a character
  const auto continues = [&text](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80;
  };
  std::size_t length = most;
  while (length != 0 && most - length < kLongest && continues(length)) --length;
  // Bytes that are no UTF-8 are cut anywhere.
  return text.substr(0, continues(length) ? most : length);
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
