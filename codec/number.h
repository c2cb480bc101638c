// Numbers in text.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace scidfs::codec {

// Returns the number that all of `text` is, in digits of `base`. Leading zeros are allowed, a plus
// sign is not, and a minus sign only for signed types. Returns nothing for any other text, or if
// the number does not fit.
template <std::integral Number>
std::optional<Number> parse_number(std::string_view text, int base = 10) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace scidfs::codec
