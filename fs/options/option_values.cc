#include "fs/options/option_values.h"

#include <limits>

#include "codec/number.h"
#include "fs/base/code_pages.h"

namespace scidfs::fs {

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t least,
                                          std::uint64_t most, int base) {
  const auto number = codec::parse_number<std::uint64_t>(text, base);
  return number && *number >= least && *number <= most ? number : std::nullopt;
}

std::optional<std::size_t> parse_size(std::string_view text) {
  unsigned shift = 0;
  if (!text.empty()) {
    constexpr std::string_view kSuffixes = "KkMmGg";
    if (const auto at = kSuffixes.find(text.back()); at != std::string_view::npos) {
      shift = 10 * (static_cast<unsigned>(at) / 2 + 1);
      text.remove_suffix(1);
    }
  }
  const auto number = parse_number(text, 0, std::numeric_limits<std::size_t>::max() >> shift);
  if (!number) return std::nullopt;
  return static_cast<std::size_t>(*number) << shift;
}

std::optional<ChosenPage> parse_chosen_page(std::string_view text) {
  constexpr std::string_view kNames = "names:";
  const bool is_of_names = text.starts_with(kNames);
  const auto number = parse_within<1, std::numeric_limits<std::uint16_t>::max()>(
      text.substr(is_of_names ? kNames.size() : 0));
  const auto page = number ? find_code_page(static_cast<std::uint16_t>(*number)) : std::nullopt;
  if (!page) return std::nullopt;
  return ChosenPage{.page = *page, .is_of_names = is_of_names};
}

std::optional<std::string> parse_word(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

std::optional<unsigned> parse_width(std::string_view text) {
  if (text == "0") return 0U;
  return parse_number(text, 20, 10'000);
}

std::optional<std::uint64_t> parse_id(std::string_view text) {
  // The last number means "no such user" to the kernel.
  return parse_number(text, 0, std::numeric_limits<std::uint32_t>::max() - 1);
}

std::filesystem::path absolute_path(std::string_view path) {
  std::filesystem::path result = std::filesystem::absolute(path);
  while (!result.has_filename() && result.has_relative_path()) result = result.parent_path();
  return result;
}

}  // namespace scidfs::fs
