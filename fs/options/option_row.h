// Rows of tables of options: what users type, and which member of the options it sets.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "fs/base/option_text.h"

namespace scidfs::fs {

template <class Options>
struct OptionRow {
  OptionText text;
  // Stores the value. Returns false if it is invalid.
  bool (*set)(const OptionText& text, Options& options, std::string_view value);
  // Completes "option NAME requires ..."; empty: the words of the text, if it has a value.
  std::string_view expects{};
};

// A member of the options, by its members on the way there.
template <auto... kMembers>
struct In {
  static auto& of(auto& options) { return (options.*....*kMembers); }
};

// What rows set: one of some values, by the place of the word in the option's text.
template <class Member, auto... kValues>
bool choose(const OptionText& text, auto& options, std::string_view value) {
  constexpr std::array kChosen{kValues...};
  std::size_t place = 0;
  for (std::string_view words = text.value; !words.empty(); ++place) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (words.substr(0, end) == value) {
      Member::of(options) = kChosen[place];
      return true;
    }
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

// What a function makes of the value, unless that is nothing.
template <class Member, auto kParse>
bool parse(const OptionText& /*text*/, auto& options, std::string_view value) {
  const auto parsed = kParse(value);
  if (parsed) {
    auto& member = Member::of(options);
    member = static_cast<std::remove_reference_t<decltype(member)>>(*parsed);
  }
  return parsed.has_value();
}

// True, for an option without a value.
template <class Member>
bool set_flag(const OptionText& /*text*/, auto& options, std::string_view /*value*/) {
  return Member::of(options) = true;
}

}  // namespace scidfs::fs
