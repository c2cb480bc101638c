#include "fs/base/file_bounds.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "codec/number.h"

namespace scidfs::fs {

absl::StatusOr<FileBounds> parse_file_bounds(std::string_view text,
                                             std::span<const FileBound> table) {
  FileBounds bounds(table.size());
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto bound = std::ranges::find(table, part.substr(0, equals), &FileBound::key);
    if (bound == table.end()) return absl::NotFoundError("no such key");
    const auto number =
        codec::parse_number<std::uint32_t>(part.substr(std::min(equals + 1, part.size())));
    if (!number.has_value() || *number < bound->least || *number > bound->most) {
      return absl::InvalidArgumentError(
          fmt::format("{}={} to {}={}", bound->key, bound->least, bound->key, bound->most));
    }
    std::optional<std::uint32_t>& value = bounds[static_cast<std::size_t>(bound - table.begin())];
    if (value.has_value()) return absl::InvalidArgumentError("duplicate key");
    value = number;
    if (comma == text.size()) return bounds;
    text.remove_prefix(comma + 1);
  }
}

std::string file_bounds_text(const FileBounds& bounds, std::span<const FileBound> table) {
  std::string text;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (!bounds[i].has_value()) continue;
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", table[i].key, *bounds[i]);
  }
  return text;
}

}  // namespace scidfs::fs
