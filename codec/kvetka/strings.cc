#include "codec/kvetka/strings.h"

#include <array>
#include <cassert>
#include <optional>

#include "codec/text.h"
#include "codec/unicode.h"

namespace scidfs::codec::kvetka {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr char16_t kByteOrderMark = 0xFEFF;

// Letters with a stroke and others that Unicode does not decompose, but that a bare letter replaces
// where a code page lacks them.
constexpr std::u32string_view kStrokes = U"ÐðØøĐđĦħıĸŁłŉŊŋŦŧſ";
constexpr std::string_view kBareStrokes = "DdOoDdHhikLlnNnTts";
static_assert(kStrokes.size() == kBareStrokes.size());

char16_t unit_at(Bytes units, std::size_t at, ByteOrder order) {
  const unsigned first = units[at];
  const unsigned second = units[at + 1];
  return static_cast<char16_t>(order == ByteOrder::Big ? first << 8 | second : second << 8 | first);
}

constexpr bool is_high_surrogate(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
constexpr bool is_low_surrogate(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

std::optional<char> byte_of(char32_t code, CodePage page) {
  if (code < 0x80) return static_cast<char>(code);
  for (unsigned byte = 0x80; byte <= 0xFF; ++byte) {
    const auto candidate = static_cast<std::uint8_t>(byte);
    if (code_point_of(candidate, page) == code) return static_cast<char>(candidate);
  }
  return std::nullopt;
}

// Returns a letter that a code page lacks without its accents (nothing for a mere accent), else
// `?`.
std::string bare_letter(char32_t code, CodePage page) {
  const char32_t bare = without_accents(code);
  if (bare == 0) return {};
  if (bare != code) {
    if (const std::optional<char> byte = byte_of(bare, page)) return {*byte};
  }
  const std::size_t stroke = kStrokes.find(bare);
  return {stroke == std::u32string_view::npos ? '?' : kBareStrokes[stroke]};
}

bool is_multibyte_utf8(Bytes text) {
  for (const std::uint8_t byte : text) {
    if (byte >= 0x80) return is_utf8(text);
  }
  return false;
}

}  // namespace

void ByteOrderVote::add(Bytes units) {
  if (units.size() >= 2 && !marked_) {
    for (const ByteOrder order : {ByteOrder::Little, ByteOrder::Big}) {
      if (unit_at(units, 0, order) != kByteOrderMark) continue;
      marked_ = true;
      mark_ = order;
    }
  }
  const auto is_high_byte = [](std::uint8_t byte) { return byte == 0x00 || byte == 0x04; };
  for (std::size_t i = 0; i + 1 < units.size(); i += 2) {
    even_ += is_high_byte(units[i]) ? 1 : 0;
    odd_ += is_high_byte(units[i + 1]) ? 1 : 0;
  }
}

ByteOrder ByteOrderVote::decide() const {
  if (marked_) return mark_;
  return even_ > odd_ ? ByteOrder::Big : ByteOrder::Little;
}

std::string decode_units(Bytes units, ByteOrder order) {
  std::string text;
  std::size_t at = 0;
  if (units.size() >= 2 && unit_at(units, 0, order) == kByteOrderMark) at = 2;
  while (at + 1 < units.size()) {
    char32_t code = unit_at(units, at, order);
    at += 2;
    if (is_high_surrogate(code) && at + 1 < units.size() &&
        is_low_surrogate(unit_at(units, at, order))) {
      code = 0x10000 + ((code - 0xD800) << 10) + (unit_at(units, at, order) - 0xDC00U);
      at += 2;
    } else if (is_high_surrogate(code) || is_low_surrogate(code)) {
      code = kReplacement;
    }
    append_code_point(is_control(code) ? ' ' : code, text);
  }
  return text;
}

std::string encode_units(std::string_view text, ByteOrder order) {
  assert(is_utf8(as_bytes(text)));
  std::string units;
  const auto put = [&](char32_t unit) {
    const auto high = static_cast<char>(unit >> 8);
    const auto low = static_cast<char>(unit);
    units += order == ByteOrder::Big ? high : low;
    units += order == ByteOrder::Big ? low : high;
  };
  while (!text.empty()) {
    const char32_t code = take_code_point(text);
    if (code < 0x10000) {
      put(code);
    } else {
      put(0xD800 + ((code - 0x10000) >> 10));
      put(0xDC00 + ((code - 0x10000) & 0x3FF));
    }
  }
  return units;
}

void CodePageVote::add(Bytes text) {
  if (is_multibyte_utf8(text)) return;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] < 0x80) continue;
    ++high_;
    const auto is_letter = [&](std::size_t at) { return at < text.size() && text[at] >= 0xC0; };
    if (is_letter(i) && (is_letter(i + 1) || (i > 0 && is_letter(i - 1)))) ++in_runs_;
  }
}

CodePage CodePageVote::decide() const {
  return in_runs_ * 2 > high_ ? CodePage::Windows1251 : CodePage::Windows1252;
}

std::string encode_ansi(std::string_view text, CodePage page) {
  assert(is_utf8(as_bytes(text)));
  if (page == CodePage::Utf8) return std::string(text);
  std::string bytes;
  while (!text.empty()) {
    const char32_t code = take_code_point(text);
    if (const std::optional<char> byte = byte_of(code, page)) {
      bytes += *byte;
    } else {
      bytes += bare_letter(code, page);
    }
  }
  return bytes;
}

}  // namespace scidfs::codec::kvetka
