// What HTTP says of a file besides its bytes.
#pragma once

#include <cstdint>
#include <string_view>

namespace scidfs::fs {

// Returns the value of Content-Type for a file of this name, by its ending, in upper or lower case:
// "application/vnd.chess-pgn; charset=utf-8". All texts of the tree are UTF-8. For files of the
// source and for endings that the tree does not have: "application/octet-stream".
std::string_view media_type(std::string_view name);

// Returns whether a file is text of some length, so that gzip saves more than it costs.
bool is_worth_compressing(std::string_view media_type, std::uint64_t size);

}  // namespace scidfs::fs
