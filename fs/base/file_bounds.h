// Bounds in the names of files: `book/plies=40,games=5.bin`, `lines/plies=24.pgn`.
#pragma once

#include <absl/status/statusor.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scidfs::fs {

// A key that a name may have, with a number from `least` to `most`, or with a word: its number is
// its place in `words`.
struct FileBound {
  std::string_view key;
  std::uint32_t least = 0;
  std::uint32_t most = 0;
  std::span<const std::string_view> words{};
};

// The numbers in a name, each in the place of its key in the table; nothing: the key is missing.
using FileBounds = std::vector<std::optional<std::uint32_t>>;

// Parses `KEY=NUMBER` or `KEY=WORD`, once or more with commas between. Errors: NotFound if a key is
// not in the table; InvalidArgument, with a reason for users, if one comes twice, or if a number is
// out of its limits.
absl::StatusOr<FileBounds> parse_file_bounds(std::string_view text,
                                             std::span<const FileBound> table);

// Returns the text of bounds, with the keys in the order of the table.
std::string file_bounds_text(const FileBounds& bounds, std::span<const FileBound> table);

}  // namespace scidfs::fs
