// Parses values of options. The functions return nothing if the text is invalid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "codec/text.h"

namespace scidfs::fs {

std::optional<std::uint64_t> parse_number(std::string_view text, std::uint64_t least,
                                          std::uint64_t most, int base = 10);

template <std::uint64_t kLeast, std::uint64_t kMost, int kBase = 10>
std::optional<std::uint64_t> parse_within(std::string_view text) {
  return parse_number(text, kLeast, kMost, kBase);
}

// Accepts "0", "500000", "512K", "64M", "1G".
std::optional<std::size_t> parse_size(std::string_view text);

// Accepts anything but an empty text.
std::optional<std::string> parse_word(std::string_view text);

// Accepts the number of a code page that find_code_page() knows; after "names:" for the names of
// files in zip files alone.
struct ChosenPage {
  codec::CodePage page;
  bool is_of_names = false;
};
std::optional<ChosenPage> parse_chosen_page(std::string_view text);

// Parses the width of a line of moves; 0: one line.
std::optional<unsigned> parse_width(std::string_view text);

// Parses the number of a user or a group.
std::optional<std::uint64_t> parse_id(std::string_view text);

// Returns a path from "/", without slashes at its end. Leaves `..` to the kernel: after a link it
// does not mean the parent in the text.
std::filesystem::path absolute_path(std::string_view path);

}  // namespace scidfs::fs
