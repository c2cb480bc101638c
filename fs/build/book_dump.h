// scidfs-book dump: prints a Kvetka book as a table.
#pragma once

#include <absl/functional/function_ref.h>
#include <absl/status/statusor.h>

#include <filesystem>
#include <string_view>
#include <vector>

namespace scidfs::fs {

// Prints a book, or its sources if `path` ends with ".ksf": a `#` line of column names and a line
// for each position in the order of the file, or for each game. Columns of a position: block, key,
// normalized position, games won, drawn and lost by its mover, moves as code:from-to, a game with
// the position, the games that end in it, comment; `-` means nothing. Returns the problems of the
// book, one per line; prints everything that can be read all the same. Errors: the book cannot be
// opened or read.
absl::StatusOr<std::vector<std::string>> dump_book(const std::filesystem::path& path,
                                                   absl::FunctionRef<void(std::string_view)> print);

}  // namespace scidfs::fs
