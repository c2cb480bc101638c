#include "fs/base/file_bounds.h"

#include <absl/status/status.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "codec/number.h"

namespace scidfs::fs {
namespace {

// Returns the number of a value; nothing if the key may not have it.
std::optional<std::uint32_t> number_of(const FileBound& bound, std::string_view value) {
  if (!bound.words.empty()) {
    const auto word = std::ranges::find(bound.words, value);
    if (word == bound.words.end()) return std::nullopt;
    return static_cast<std::uint32_t>(word - bound.words.begin());
  }
  const auto number = codec::parse_number<std::uint32_t>(value);
  const bool is_good = number.has_value() && *number >= bound.least && *number <= bound.most;
  return is_good ? number : std::nullopt;
}

// Returns the values that a key may have, for users.
std::string values_of(const FileBound& bound) {
  const bool has_words = !bound.words.empty();
  const std::string first =
      has_words ? std::string(bound.words.front()) : fmt::to_string(bound.least);
  const std::string last = has_words ? std::string(bound.words.back()) : fmt::to_string(bound.most);
  return fmt::format("{0}={1} {3} {0}={2}", bound.key, first, last, has_words ? "or" : "to");
}

}  // namespace

absl::StatusOr<FileBounds> parse_file_bounds(std::string_view text,
                                             std::span<const FileBound> table) {
  FileBounds bounds(table.size());
  while (true) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto bound = std::ranges::find(table, part.substr(0, equals), &FileBound::key);
    if (bound == table.end()) return absl::NotFoundError("no such key");
    const std::optional<std::uint32_t> number =
        number_of(*bound, part.substr(std::min(equals + 1, part.size())));
    if (!number.has_value()) return absl::InvalidArgumentError(values_of(*bound));
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
    const std::span<const std::string_view> words = table[i].words;
    text +=
        fmt::format("{}{}={}", text.empty() ? "" : ",", table[i].key,
                    words.empty() ? fmt::to_string(*bounds[i]) : std::string(words[*bounds[i]]));
  }
  return text;
}

}  // namespace scidfs::fs
