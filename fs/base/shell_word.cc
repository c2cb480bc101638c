#include "fs/base/shell_word.h"

#include <algorithm>

#include "codec/text.h"

namespace scidfs::fs {
namespace {

bool is_plain(char c) {
  constexpr std::string_view kSigns = "_@%+=:,./-";
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return is_letter || (c >= '0' && c <= '9') || !codec::is_ascii(c) ||
         kSigns.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += R"('\'')";
    } else {
      word += c;
    }
  }
  return word + '\'';
}

std::string in_quotes(std::string_view name) {
  const bool has_meaning = name.find_first_of("`'\"$\\ &;|<>(){}#") != std::string_view::npos;
  return has_meaning ? shell_word(name) : '`' + std::string(name) + '`';
}

}  // namespace scidfs::fs
