#include "fs/search/set_part.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "codec/number.h"
#include "fs/base/status_macros.h"

namespace scidfs::fs {

absl::StatusOr<std::uint32_t> SetPart::parse_count(std::string_view text) {
  const auto count = codec::parse_number<std::uint32_t>(text);
  if (count.has_value() && *count >= 1 && *count <= kMostParts) return *count;
  return absl::InvalidArgumentError(fmt::format("a set has 1 to {} parts", kMostParts));
}

absl::StatusOr<SetPart> SetPart::parse(std::string_view text) {
  constexpr std::string_view kOf = "of";
  const std::size_t of = std::min(text.find(kOf), text.size());
  const auto number = codec::parse_number<std::uint32_t>(text.substr(0, of));
  if (!number.has_value() || of == text.size()) {
    return absl::InvalidArgumentError("a part is a number, `of` and the number of parts");
  }
  ASSIGN_OR_RETURN(const std::uint32_t count, parse_count(text.substr(of + kOf.size())));
  if (*number < 1 || *number > count) {
    return absl::InvalidArgumentError(fmt::format("parts have the numbers 1 to {}", count));
  }
  return SetPart{.number = *number, .of = count};
}

std::string SetPart::text() const { return fmt::format("{}of{}", number, of); }

}  // namespace scidfs::fs
