#include "codec/eco.h"

#include <array>

namespace scidfs::codec {
namespace {

constexpr unsigned kExtensionsPerLetter = 5;

char* write_base(unsigned base, char* out) {
  *out++ = static_cast<char>('A' + base / 100);
  *out++ = static_cast<char>('0' + base / 10 % 10);
  *out++ = static_cast<char>('0' + base % 10);
  return out;
}

}  // namespace

char* write_eco(EcoCode code, char* out) {
  const unsigned base = eco_base(code);
  if (base == kEcoBases) return out;
  out = write_base(base, out);
  const unsigned extension = (code - 1u) % kEcoExtensions;
  if (extension == 0) return out;
  *out++ = static_cast<char>('a' + (extension - 1) / kExtensionsPerLetter);
  const unsigned digit = (extension - 1) % kExtensionsPerLetter;
  if (digit != 0) *out++ = static_cast<char>('0' + digit);
  return out;
}

std::string eco_to_string(EcoCode code) {
  std::array<char, kMaxEcoLength> text;
  return std::string(text.data(), write_eco(code, text.data()));
}

std::string eco_base_to_string(unsigned base) {
  if (base >= kEcoBases) return {};
  std::array<char, 3> text;
  return std::string(text.data(), write_base(base, text.data()));
}

EcoCode parse_eco(std::string_view text) {
  constexpr std::size_t kBaseLength = 3;
  const unsigned base = parse_eco_base(text.substr(0, kBaseLength));
  if (base == kEcoBases) return 0;
  const auto code = static_cast<EcoCode>(1 + base * kEcoExtensions);
  text.remove_prefix(kBaseLength);
  if (text.empty() || text[0] < 'a' || text[0] > 'z') return code;
  const auto letter = static_cast<unsigned>(text[0] - 'a');
  const bool has_digit = text.size() > 1 && text[1] >= '1' && text[1] <= '4';
  const auto digit = has_digit ? static_cast<unsigned>(text[1] - '0') : 0;
  return static_cast<EcoCode>(code + 1 + letter * kExtensionsPerLetter + digit);
}

unsigned parse_eco_base(std::string_view text) {
  const auto within = [&text](std::size_t i, char low, char high) {
    return text[i] >= low && text[i] <= high;
  };
  if (text.size() != 3) return kEcoBases;
  if (!within(0, 'A', 'E') || !within(1, '0', '9') || !within(2, '0', '9')) return kEcoBases;
  return static_cast<unsigned>((text[0] - 'A') * 100 + (text[1] - '0') * 10 + (text[2] - '0'));
}

}  // namespace scidfs::codec
