// Command-line options as --help shows them.
#pragma once

#include <string_view>

namespace scidfs::fs {

struct OptionText {
  // The names as users type them, "-h, --help", or "-o width" for an option in a list after -o.
  std::string_view names;
  // The value: words to choose from, "yes|no", and placeholders in capitals, "N|all". Empty: none.
  std::string_view value;
  std::string_view text;
};

// Returns "width" of "-o width"; empty for an option that is not in a list after -o.
constexpr std::string_view listed_name(const OptionText& option) {
  constexpr std::string_view kListed = "-o ";
  return option.names.starts_with(kListed) ? option.names.substr(kListed.size())
                                           : std::string_view();
}

}  // namespace scidfs::fs
