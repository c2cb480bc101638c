// Small helpers for file names.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace scidfs::fs {

// Returns `name` without `suffix` at its end; nothing if it does not end with `suffix`.
constexpr std::optional<std::string_view> strip_suffix(std::string_view name,
                                                       std::string_view suffix) {
  if (!name.ends_with(suffix)) return std::nullopt;
  return name.substr(0, name.size() - suffix.size());
}

// Returns the folder of a relative path; "" for a name without a folder.
constexpr std::string_view folder_of_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

}  // namespace scidfs::fs
