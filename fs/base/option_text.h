// Command-line options as --help, manual pages and completions show them.
#pragma once

#include <string_view>

namespace scidfs::fs {

// The completions that a shell offers for a value.
enum class Fill { Nothing, File, Folder, Source, User };

struct OptionText {
  // The names as users type them, "-h, --help", or "-o width" for an option in a list after -o.
  std::string_view names;
  // The value: words to choose from, "yes|no", and placeholders in capitals, "N|all". Empty: none.
  std::string_view value;
  std::string_view text;
  std::string_view brief{};  // for a menu; empty: `text`
  Fill fill = Fill::Nothing;
};

// Returns "width" of "-o width"; empty for an option that is not in a list after -o.
constexpr std::string_view listed_name(const OptionText& option) {
  constexpr std::string_view kListed = "-o ";
  return option.names.starts_with(kListed) ? option.names.substr(kListed.size())
                                           : std::string_view();
}

}  // namespace scidfs::fs
