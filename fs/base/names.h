// Small things about names of files.
#pragma once

#include <optional>
#include <string_view>

namespace scidfs::fs {

// `name` without `suffix` at its end; nothing if it does not end so.
constexpr std::optional<std::string_view> strip_suffix(std::string_view name,
                                                       std::string_view suffix) {
  if (!name.ends_with(suffix)) return std::nullopt;
  return name.substr(0, name.size() - suffix.size());
}

}  // namespace scidfs::fs
