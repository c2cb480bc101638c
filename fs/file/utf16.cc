#include "fs/file/utf16.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "codec/text.h"

namespace scidfs::fs {
namespace {

constexpr char16_t kByteOrderMark = 0xFEFF;
constexpr char32_t kNoCharacter = 0xFFFD;

constexpr bool is_high(char16_t unit) { return (unit & 0xFC00) == 0xD800; }
constexpr bool is_low(char16_t unit) { return (unit & 0xFC00) == 0xDC00; }

}  // namespace

std::optional<std::endian> utf16_order(codec::Bytes front) {
  const std::string_view text = codec::as_text(front);
  if (text.starts_with("\xFF\xFE")) return std::endian::little;
  if (text.starts_with("\xFE\xFF")) return std::endian::big;
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < front.size(); ++i) zeros[i % 2] += front[i] == 0 ? 1 : 0;
  const std::size_t most = std::max(zeros[0], zeros[1]);
  if (most * 4 <= front.size() || std::min(zeros[0], zeros[1]) != 0) return std::nullopt;
  return zeros[0] != 0 ? std::endian::big : std::endian::little;
}

void Utf16Decoder::append(codec::Bytes bytes, std::string& out) {
  for (const std::uint8_t byte : bytes) {
    if (!half_.has_value()) {
      half_ = byte;
      continue;
    }
    const bool is_big = order_ == std::endian::big;
    append_unit(static_cast<char16_t>(is_big ? *half_ << 8U | byte : byte << 8U | *half_), out);
    half_.reset();
  }
}

void Utf16Decoder::append_unit(char16_t unit, std::string& out) {
  const bool is_mark = !is_begun_ && unit == kByteOrderMark;
  is_begun_ = true;
  if (is_mark) return;
  if (high_ != 0 && is_low(unit)) {
    constexpr char32_t kFirst = 0x10000;
    codec::append_code_point(kFirst + ((high_ & 0x3FFU) << 10U) + (unit & 0x3FFU), out);
    high_ = 0;
    return;
  }
  if (high_ != 0) codec::append_code_point(kNoCharacter, out);
  high_ = is_high(unit) ? unit : char16_t{0};
  if (high_ == 0) codec::append_code_point(is_low(unit) ? kNoCharacter : unit, out);
}

}  // namespace scidfs::fs
